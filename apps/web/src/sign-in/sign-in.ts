import { i18n } from '@lingui/core';
import type { Provider } from '@mailsweep/contracts';
import { chooseLanguage } from '../language/choose-language.ts';

/** The component library stores the theme here. */
const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

/** The provider that the page offers by itself. */
const GOOGLE = 'gmail';

const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen;

const activateEnglish = () => {
  i18n.load('en', {});
  i18n.activate('en');
};

/** Translates the page and shows a notice. */
const complete = async (): Promise<void> => {
  const { language, locale } = chooseLanguage();
  activateEnglish();
  // The page stays in English if the language can't be loaded.
  if (language !== 'en')
    await import('./translate-page.ts').then(
      ({ translatePage }) => translatePage(language, locale),
      reportError,
    );
  const { showAdding, showSignInNotice } = await import('./sign-in-notices.ts');
  showSignInNotice();
  showAdding();
};

/** Offers other providers. Most installations have none, so the page shows before. */
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
  offerOtherProviders(others, origin, data[0]?.key !== GOOGLE);
  if (others.length < data.length) return;
  // The operator has no client at Google.
  for (const part of [door, ...document.querySelectorAll('.door-button ~ .door-hint, .door-look')])
    part.remove();
};

let completed = Promise.resolve();
if (chooseLanguage().language !== 'en' || window.location.search !== '') {
  // Show nothing yet: the notice moves what is below.
  document.body.hidden = true;
  completed = complete()
    .catch(reportError)
    .finally(() => {
      document.body.hidden = false;
    });
} else activateEnglish();
// Google stays offered if the API can't be reached.
completed.then(offerOthers).catch(() => undefined);
