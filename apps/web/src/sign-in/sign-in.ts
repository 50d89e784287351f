import { i18n } from '@lingui/core';
import type { Provider } from '@mailsweep/contracts';
import { chooseLanguage } from '../language/choose-language.ts';

/** Where the app's component library keeps the theme that the user chose on this device. */
const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

/** The key of the provider that the page offers by itself. */
const GOOGLE = 'gmail';

const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen;

const activateEnglish = () => {
  i18n.load('en', {});
  i18n.activate('en');
};

/** Puts what is not part of the page into it: another language, and what became of a sign-in. */
const complete = async (): Promise<void> => {
  const { language, locale } = chooseLanguage();
  activateEnglish();
  // Where another language cannot be had, the page is in English.
  if (language !== 'en')
    await import('./translate-page.ts').then(
      ({ translatePage }) => translatePage(language, locale),
      reportError,
    );
  const { showSignInNotice } = await import('./sign-in-notices.ts');
  showSignInNotice();
};

/** Offers the other providers of this installation. Most have none, so that the page is whole before it is known. */
const offerOthers = async (): Promise<void> => {
  const door = document.querySelector<HTMLAnchorElement>('.door-button');
  if (door === null) return;
  const { origin } = new URL(door.href);
  const response = await fetch(`${origin}/api/v1/providers`);
  if (!response.ok) return;
  const { data } = (await response.json()) as { data: Provider[] };
  const others = data.filter(({ key }) => key !== GOOGLE);
  if (others.length === 0) return;
  const { offerOtherProviders } = await import('./other-providers.ts');
  offerOtherProviders(others, origin);
  if (others.length < data.length) return;
  // The operator has no client at Google.
  for (const part of [door, door.nextElementSibling]) part?.remove();
};

let completed = Promise.resolve();
if (chooseLanguage().language !== 'en' || window.location.search !== '') {
  // Nothing shows before all of it is there: the notice moves what is below.
  document.body.hidden = true;
  completed = complete()
    .catch(reportError)
    .finally(() => {
      document.body.hidden = false;
    });
} else activateEnglish();
// Google is offered all the same where the API cannot be reached.
completed.then(offerOthers).catch(() => undefined);
