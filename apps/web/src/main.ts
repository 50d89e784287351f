import './styles/mantine.css';
import './styles/theme.css';
import './styles/tokens.css';
import './styles/global.css';
import './styles/forced-colors.css';
import './styles/touch.css';
import '@fontsource-variable/inter/wght.css';
import { activateChosenLanguage } from './language/activate-language.ts';
import { readApiOrigin } from './runtime-config.ts';
import { returnFromSignIn } from './session/return-from-sign-in.ts';
import { showStartFailure } from './start-failure.ts';

declare global {
  /** Where the validation library looks for its settings before it makes its first parser. */
  var __zod_globalConfig: { jitless?: boolean } | undefined;
}

// It would compile its parsers with `new Function`, which the Content-Security-Policy forbids and reports.
globalThis.__zod_globalConfig = { jitless: true };

/** Lets the browser react to a touch before the next piece of work. */
const nextTask = () => new Promise((resolve) => setTimeout(resolve));

const start = async () => {
  const language = activateChosenLanguage();
  // The page preloads all of it (`scripts/preload-app.ts`). To run it takes a slow phone a while, so it runs in pieces.
  for (const run of [
    () => import('react-dom/client'),
    () => import('./api/api-client.ts'),
    () => import('./router.tsx'),
  ]) {
    await run();
    await nextTask();
  }
  await language;
  const { startApp } = await import('./start-app.tsx');
  await startApp({ apiOrigin: readApiOrigin() });
};
if (returnFromSignIn()) start().catch(showStartFailure);
