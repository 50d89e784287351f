import { z } from 'zod';
import { MAX_MAIL_SEARCH_LENGTH } from '../values/limits.ts';

/** Typographic quotation marks, as keyboards of phones write them. */
const QUOTES = /[\u201C\u201D\u201E\u201F]/g;
const PHRASE = /"[^"]*"/g;
/** An operator at the end of the search or of a group. */
const OPEN_OPERATOR = /(?::|(?:^|[ ({])(?:OR|AND|-)) ?(?:$|[)}])/;
const CLOSING = new Map([
  ['(', ')'],
  ['{', '}'],
]);

/** Whether brackets outside of phrases match. */
const hasBalancedBrackets = (search: string): boolean => {
  const open: (string | undefined)[] = [];
  for (const bracket of search.replaceAll(PHRASE, '').match(/[(){}]/g) ?? []) {
    const closing = CLOSING.get(bracket);
    if (closing !== undefined) open.push(closing);
    else if (open.pop() !== bracket) return false;
  }
  return open.length === 0;
};

/**
 * A search in the provider's words (Gmail help, "Refine searches in Gmail") that can be put into parentheses: quotes and
 * brackets match, and no operator lacks its value. Brackets within phrases, which Gmail does not recognize, are left out.
 */
export const MailSearchSchema = z
  .string()
  .min(1)
  .max(MAX_MAIL_SEARCH_LENGTH)
  .transform((search) =>
    search
      .replaceAll(QUOTES, '"')
      .replaceAll(PHRASE, (phrase) => phrase.replaceAll(/[(){}]/g, ' '))
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim(),
  )
  .refine((search) => search !== '', { error: 'must not be empty' })
  .refine((search) => (search.match(/"/g) ?? []).length % 2 === 0, {
    error: 'has a quotation mark without its counterpart',
  })
  .refine(hasBalancedBrackets, { error: 'has a bracket without its counterpart' })
  .refine((search) => !OPEN_OPERATOR.test(search), { error: 'has an operator without a value' })
  .meta({ override: { type: 'string', minLength: 1, maxLength: MAX_MAIL_SEARCH_LENGTH } });
