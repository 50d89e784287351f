import { readPreferences } from '../device-preferences/stored-preferences.ts';

export const LANGUAGE_NAMES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGE_NAMES;

/** A language, and a region for dates and numbers, such as `en-GB`. */
export interface ChosenLanguage {
  language: Language;
  locale: string;
}

const toLanguage = (tag: string): string => tag.split('-')[0]?.toLowerCase() ?? '';
const isLanguage = (name: string): name is Language => Object.hasOwn(LANGUAGE_NAMES, name);
const browserTags = (): readonly string[] => globalThis.navigator?.languages ?? [];

/** The chosen language, or the browser's first that the app has. */
export const chooseLanguage = (): ChosenLanguage => {
  const chosen = readPreferences().language;
  const language = chosen === 'system' ? (browserTags().map(toLanguage).find(isLanguage) ?? 'en') : chosen;
  return { language, locale: browserTags().find((tag) => toLanguage(tag) === language) ?? language };
};
