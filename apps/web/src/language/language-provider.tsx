import { i18n } from '@lingui/core';
import { I18nProvider, useLingui } from '@lingui/react';
import { Fragment, type ReactNode, useEffect } from 'react';
import { usePreferences } from '../device-preferences/preferences.ts';
import { activateChosenLanguage } from './activate-language.ts';

export const LanguageProvider = ({ children }: { children: ReactNode }) => {
  const { language } = usePreferences();
  useEffect(() => void activateChosenLanguage(), [language]);
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
};

/** Remounts everything below when the language changes, so that texts may be read anywhere while rendering. */
export const RemountOnLanguageChange = ({ children }: { children: ReactNode }) => {
  const active = useLingui();
  return <Fragment key={active.i18n.locale}>{children}</Fragment>;
};
