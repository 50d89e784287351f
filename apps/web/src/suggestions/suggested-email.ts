import type { KeptEmail, StoredSuggestion } from '@mailsweep/contracts';

/** An email with the one suggestion that accepting it would carry out. */
export interface SuggestedEmail extends Omit<KeptEmail, 'suggestions'> {
  suggestion: StoredSuggestion;
  /** Less sure ones, which are only shown. */
  others: StoredSuggestion[];
}

/** The probability that the user accepts a suggestion: before the API knows it, the classification service's confidence. */
export const toAcceptance = ({ acceptance, confidence_score }: StoredSuggestion): number =>
  acceptance ?? confidence_score;

/** The emails that have a suggestion; the surest one counts, as it does for the API. */
export const toSuggestedEmails = (emails: readonly KeptEmail[]): SuggestedEmail[] =>
  emails.flatMap(({ suggestions, ...email }) => {
    const [suggestion, ...others] = [...suggestions].sort((a, b) => b.confidence_score - a.confidence_score);
    return suggestion ? [{ ...email, suggestion, others }] : [];
  });
