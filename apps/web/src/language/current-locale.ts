import { i18n } from '@lingui/core';

/** The region whose dates and numbers are shown, such as `en-GB`. */
export const currentLocale = (): string => String(i18n.locales ?? i18n.locale);

/** Makes something of the locale when it is first needed, and again after the language changed. */
export const perLocale = <T>(make: (locale: string) => T): (() => T) => {
  let made: { locale: string; value: T } | undefined;
  return () => {
    const locale = currentLocale();
    if (made?.locale !== locale) made = { locale, value: make(locale) };
    return made.value;
  };
};
