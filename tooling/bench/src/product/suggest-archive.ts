import { respondWithSuggestions } from '@mailsweep/ml-client/testing';

/** What the classification service of a bench suggests. */
export const SUGGEST_ARCHIVE = respondWithSuggestions([
  { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
]);
