import { readPreferences } from '../preferences/stored-preferences.ts';

/** The languages of the app, and what each calls itself. */
export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGE_NAMES;

/** A language, and the region whose dates and numbers are shown with it, such as `en-GB`. */
export interface ChosenLanguage {
  language: Language;
  locale: string;
}

const toLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';
const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGE_NAMES, name);
const browserTags = (): readonly string[] => globalThis.navigator?.languages ?? [];

/** The language that the user chose, otherwise the first of the browser's that the app speaks. */
export const chooseLanguage = (): ChosenLanguage => {
  const chosen = readPreferences().language;
  const language = chosen === 'system' ? (browserTags().map(toLanguage).find(isLanguage) ?? 'en') : chosen;
  return { language, locale: browserTags().find((tag) => toLanguage(tag) === language) ?? language };
};
