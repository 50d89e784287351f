import type { Suggestion } from '@mailsweep/contracts';

/** Orders suggestions from the surest to the least sure. */
export const byConfidence = (a: Suggestion, b: Suggestion): number => b.confidence_score - a.confidence_score;

/** Whether two suggestions propose the same to a user, whatever their confidence. */
export const isSameSuggestion = (a: Suggestion, b: Suggestion): boolean =>
  a.action === b.action && a.classification === b.classification;
