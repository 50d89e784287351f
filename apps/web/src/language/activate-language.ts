import { i18n, type Messages } from '@lingui/core';
import { type ChosenLanguage, chooseLanguage, type Language } from './choose-language.ts';
import { currentLocale } from './current-locale.ts';

type Catalog = Record<Exclude<Language, 'en'>, () => Promise<{ messages: Messages }>>;

/** English is in the source. */
const CATALOGS: Catalog = { de: () => import('../locales/de.po') };

/** Describes the installed app. */
const MANIFESTS: Record<Language, string> = { en: '/manifest.webmanifest', de: '/manifest.de.webmanifest' };

export const activate = ({ language, locale }: ChosenLanguage, messages: Messages = {}): void => {
  i18n.load(language, messages);
  i18n.activate(language, locale);
  document.documentElement.lang = language;
  document.querySelector('link[rel=manifest]')?.setAttribute('href', MANIFESTS[language]);
};

/** Loads and activates the user's language. Keeps the former one if its texts can't be loaded. */
export const activateChosenLanguage = async (): Promise<void> => {
  const chosen = chooseLanguage();
  // Activating again would redraw the app.
  if (i18n.locale === chosen.language && currentLocale() === chosen.locale) return;
  if (chosen.language === 'en') return activate(chosen);
  // English until then, and if they can't be loaded.
  if (!i18n.locale) activate({ language: 'en', locale: 'en' });
  try {
    const { messages } = await CATALOGS[chosen.language]();
    activate(chosen, messages);
  } catch (error) {
    reportError(error);
  }
};
