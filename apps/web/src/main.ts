import './styles/mantine.css';
import './styles/tokens.css';
import './styles/global.css';
import '@fontsource-variable/inter/wght.css';
import { createEarlyAnswers } from './api/early-answers.ts';
import { readApiOrigin } from './runtime-config.ts';
import { showStartFailure } from './start-failure.ts';

declare global {
  /** Where the validation library looks for its settings before it makes its first parser. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// It would compile its parsers with `new Function`, which the Content-Security-Policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true };

/** A tab in the background paints nothing; it begins all the same. Unit: milliseconds. */
const LATEST_START_MS = 300;

const apiOrigin = readApiOrigin();
const earlyAnswers = createEarlyAnswers({
  apiOrigin,
  place: window.location,
  fetch: window.fetch.bind(window),
});

// What stands in the page is painted before the app's code keeps the browser busy.
const painted = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, LATEST_START_MS);
});
void painted
  .then(() => import('./start-app.tsx'))
  .then(({ startApp }) => startApp({ apiOrigin, fetch: earlyAnswers.fetch }))
  .catch(showStartFailure);
