import { i18n, type MessageDescriptor } from '@lingui/core';
import { msg } from '@lingui/core/macro';
import { messages as german } from './locales/de.po';

/** The English texts of `sign-in.html`, by `data-text`. */
export const SIGN_IN_TEXTS: Record<string, MessageDescriptor> = {
  title: msg`Sign in to Mailsweep`,
  promise: msg`A calm mailbox, one decision at a time.`,
  continue: msg`Continue with Google`,
  hint: msg`When Google asks what Mailsweep may do, tick the box for Gmail: it is empty at first.`,
  look: msg`Just look: Mailsweep can’t change anything`,
  suggestions: msg`Suggestions, grouped by sender`,
  suggestionsMore: msg`See what would happen and how sure we are, then decide.`,
  undo: msg`Every action can be undone`,
  undoMore: msg`One by one or all at once. Nothing is deleted for good.`,
  privacy: msg`Your email stays private`,
  privacyMore: msg`Suggestions use sender, subject and date, never what an email says.`,
};

export const translatePage = (language: 'de', locale: string): void => {
  i18n.load({ de: german });
  i18n.activate(language, locale);
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll<HTMLElement>('[data-text]')) {
    const text = SIGN_IN_TEXTS[element.dataset.text ?? ''];
    if (text) element.textContent = i18n._(text);
  }
};
