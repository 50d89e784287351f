import type { KeptEmail, StoredSuggestion } from '@mailsweep/contracts';

/** An email with the one suggestion that accepting it would carry out. */
export interface SuggestedEmail
  extends Pick<KeptEmail, 'id' | 'from' | 'subject' | 'date' | 'snippet' | 'size' | 'isRead'> {
  suggestion: StoredSuggestion;
  /** Less sure ones, which are only shown. */
  others: StoredSuggestion[];
}

/** The probability that the user accepts a suggestion: before the API knows it, the classification service's confidence. */
export const toAcceptance = ({ acceptance, confidence_score }: StoredSuggestion): number =>
  acceptance ?? confidence_score;

/** The emails that have a suggestion; the surest one counts, as it does for the API. */
export const toSuggestedEmails = (emails: readonly KeptEmail[]): SuggestedEmail[] =>
  emails.flatMap((email) => {
    const [suggestion, ...others] = [...email.suggestions].sort(
      (a, b) => b.confidence_score - a.confidence_score,
    );
    if (!suggestion) return [];
    const { id, from, subject, date, snippet, size, isRead } = email;
    return [{ id, from, subject, date, snippet, size, isRead, suggestion, others }];
  });
