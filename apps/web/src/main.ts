import './styles/mantine.css';
import './styles/theme.css';
import './styles/tokens.css';
import './styles/global.css';
import '@fontsource-variable/inter/wght.css';
import { createEarlyAnswers } from './api/early-answers.ts';
import { nextTask } from './next-task.ts';
import { preloadScreen } from './preload-screen.ts';
import { readApiOrigin } from './runtime-config.ts';
import { rememberPlace } from './session/remembered-place.ts';
import { returnFromSignIn } from './session/return-from-sign-in.ts';
import { goToSignIn } from './session/sign-in-page.ts';
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

// What stands in the page is painted before the app's code keeps the browser busy.
const painted = new Promise<void>((resolve) => {
  requestAnimationFrame(() => setTimeout(resolve));
  setTimeout(resolve, LATEST_START_MS);
});

const start = async () => {
  const earlyAnswers = createEarlyAnswers({
    apiOrigin,
    place: window.location,
    fetch: window.fetch.bind(window),
    onSignedOut: () => {
      rememberPlace(window.location.pathname + window.location.search);
      goToSignIn();
    },
  });
  preloadScreen(window.location.pathname);
  await painted;
  // All of it is on its way already. To run it takes a slow phone a while, so the pieces come one by one, each of
  // which needs those before it.
  for (const run of [
    () => import('./react.ts'),
    () => import('./libraries.ts'),
    () => import('./validation.ts'),
    () => import('./api/first-calls.ts'),
    () => import('./api/api-client.ts'),
  ]) {
    await run();
    await nextTask();
  }
  const { startApp } = await import('./start-app.tsx');
  await nextTask();
  await startApp({ apiOrigin, fetch: earlyAnswers.fetch });
};
if (returnFromSignIn()) start().catch(showStartFailure);
