import { i18n, type Messages } from '@lingui/core';
import { type ChosenLanguage, chooseLanguage, type Language } from './choose-language.ts';
import { currentLocale } from './current-locale.ts';

type Catalog = Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>>;

/** English is in the source itself. */
const CATALOGS: Catalog = { de: () => import('../locales/de.po') };

/** What a browser shows of the app as it is installed. */
const MANIFESTS: Record<Language, string> = {
  en: '/manifest.webmanifest',
  de: '/manifest.de.webmanifest',
};

/** Lets everything speak a language from now on. */
export const activate = ({ language, locale }: ChosenLanguage, messages: Messages = {}): void => {
  i18n.load(language, messages);
  i18n.activate(language, locale);
  document.documentElement.lang = language;
  document.querySelector('link[rel=manifest]')?.setAttribute('href', MANIFESTS[language]);
};

/**
 * Loads and activates the user's language. Where its texts cannot be loaded, what was spoken before stays.
 */
export const activateChosenLanguage = async (): Promise<void> => {
  const chosen = chooseLanguage();
  // To activate it again would draw the whole app again.
  if (i18n.locale === chosen.language && currentLocale() === chosen.locale) return;
  if (chosen.language === 'en') return activate(chosen);
  // Until then, and where they cannot be had, texts are in English.
  if (!i18n.locale) activate({ language: 'en', locale: 'en' });
  try {
    const { messages } = await CATALOGS[chosen.language]();
    activate(chosen, messages);
  } catch (error) {
    reportError(error);
  }
};
