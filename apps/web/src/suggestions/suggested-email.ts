import type { KeptEmail, StoredSuggestion } from '@mailsweep/contracts';

/** An email with the suggestion that accepting carries out. */
export interface SuggestedEmail extends Omit<KeptEmail, 'suggestions'> {
  suggestion: StoredSuggestion;
  /** Less sure ones, for information. */
  others: StoredSuggestion[];
}

/** The probability that the user accepts; at first the classification service's confidence. */
export const toAcceptance = ({ acceptance, confidence_score }: StoredSuggestion): number =>
  acceptance ?? confidence_score;

/** The emails with a suggestion; the surest counts, as for the API. */
export const toSuggestedEmails = (emails: readonly KeptEmail[]): SuggestedEmail[] =>
  emails.flatMap(({ suggestions, ...email }) => {
    const [suggestion, ...others] = [...suggestions].sort((a, b) => b.confidence_score - a.confidence_score);
    return suggestion ? [{ ...email, suggestion, others }] : [];
  });
