import './styles/mantine.css';
import './styles/theme.css';
import './styles/tokens.css';
import './styles/global.css';
import './styles/forced-colors.css';
import './styles/touch.css';
import '@fontsource-variable/inter/wght.css';
import { t } from '@lingui/core/macro';
import { activateChosenLanguage } from './language/activate-language.ts';
import { nextTask } from './lazy-parts/when-idle.ts';
import { returnFromSignIn } from './session/return-from-sign-in.ts';
import { startApp } from './start-app.tsx';

/** Says that the app's code could not be loaded; uses nothing that could fail as well. */
const showStartFailure = (error: unknown): void => {
  reportError(error);
  const screen = document.createElement('main');
  const words = document.createElement('div');
  words.className = 'start-failure';
  words.setAttribute('role', 'alert');
  const title = document.createElement('h1');
  title.textContent = t`Mailsweep could not start`;
  const advice = document.createElement('p');
  advice.textContent = t`Part of it did not arrive. Check your network, then reload the page.`;
  const reload = document.createElement('button');
  reload.textContent = t`Reload`;
  reload.addEventListener('click', () => window.location.reload());
  words.append(title, advice, reload);
  screen.append(words);
  document.getElementById('root')?.replaceChildren(screen);
};

/** The web server writes it into the page: one build fits every place, and the first request need not wait. */
const readApiOrigin = (): string =>
  document.querySelector<HTMLMetaElement>('meta[name="api-origin"]')?.content ?? window.location.origin;

new Worker(new URL('./language/load-formats.ts', import.meta.url), { type: 'module' });
const start = async () => {
  // The first read of what the browser has stored waits for another process.
  await nextTask();
  await activateChosenLanguage();
  await nextTask();
  await startApp({ apiOrigin: readApiOrigin() });
};
if (returnFromSignIn()) start().catch(showStartFailure);
