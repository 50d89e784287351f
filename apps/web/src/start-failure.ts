import { t } from '@lingui/core/macro';

/** Says that the app's own code could not be had, and to the console why; uses nothing that could fail as well. */
export const showStartFailure = (error: unknown): void => {
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
