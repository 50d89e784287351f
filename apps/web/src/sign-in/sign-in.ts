import { i18n } from '@lingui/core';
import { chooseLanguage } from '../language/choose-language.ts';

/** Where the app's component library keeps the theme that the user chose on this device. */
const COLOR_SCHEME_KEY = 'mantine-color-scheme-value';

const chosen = localStorage.getItem(COLOR_SCHEME_KEY);
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset.mantineColorScheme = chosen;

/** Puts what is not part of the page into it: another language, and what became of a sign-in. */
const complete = async (): Promise<void> => {
  const { language, locale } = chooseLanguage();
  i18n.load('en', {});
  i18n.activate('en');
  // Where another language cannot be had, the page is in English.
  if (language !== 'en')
    await import('./translate-page.ts').then(
      ({ translatePage }) => translatePage(language, locale),
      reportError,
    );
  const { showSignInNotice } = await import('./sign-in-notices.ts');
  showSignInNotice();
};

if (chooseLanguage().language !== 'en' || window.location.search !== '') {
  // Nothing shows before all of it is there: the notice moves what is below.
  document.body.hidden = true;
  complete()
    .catch(reportError)
    .finally(() => {
      document.body.hidden = false;
    });
}
