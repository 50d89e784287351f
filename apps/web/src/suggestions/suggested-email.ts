import type { EmailWithSuggestions, ListSuggestionsResponse, Suggestion } from '@mailsweep/contracts';
import { type DatedPage, toDistinctEmails } from '../email/dated-pages.ts';

/** An email with the one suggestion that accepting it would carry out. */
export interface SuggestedEmail {
  id: string;
  from: string;
  subject: string;
  date: string;
  suggestion: Suggestion;
  /** Less sure ones, which are only shown. */
  others: Suggestion[];
}

type ListedEmail = ListSuggestionsResponse['emails'][number];

/** The emails that have a suggestion; the surest one counts, as it does for the API. */
export const toSuggestedEmails = (pages: readonly DatedPage<ListedEmail>[]): SuggestedEmail[] =>
  toDistinctEmails<ListedEmail>(pages).flatMap((email) => {
    const ranked = [...(email as EmailWithSuggestions).suggestions].sort(
      (a, b) => b.confidence_score - a.confidence_score,
    );
    const [suggestion, ...others] = ranked;
    if (!suggestion) return [];
    const { id, from, subject, date } = email;
    return [{ id, from, subject, date, suggestion, others }];
  });

/** Only the emails whose suggestion is at least so sure. @param percent - from 0 to 100 */
export const atLeastSure = (emails: readonly SuggestedEmail[], percent: number): SuggestedEmail[] =>
  // The API gives two decimals; rounding keeps 0.9 from falling short of 90 by its binary form.
  emails.filter((email) => Math.round(email.suggestion.confidence_score * 100) >= percent);
