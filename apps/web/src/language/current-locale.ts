import { i18n } from '@lingui/core';

/** The region for dates and numbers, such as `en-GB`. */
export const currentLocale = (): string => String(i18n.locales ?? i18n.locale);

/** Caches a value per locale. */
export const perLocale = <T>(make: (locale: string) => T): (() => T) => {
  let made: { locale: string; value: T } | undefined;
  return () => {
    const locale = currentLocale();
    if (made?.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
};
