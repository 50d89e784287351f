import type { StoredSuggestion, Suggestion } from '@mailsweep/contracts';

/**
 * Gives the best suggestion of an email the probability that the user accepts it.
 *
 * @param suggestions - best first
 * @param acceptance - none where it is not known
 */
export const rateBest = (
  [best, ...others]: readonly Suggestion[],
  acceptance: number | null | undefined,
): StoredSuggestion[] => {
  if (best === undefined) return [];
  return [typeof acceptance === 'number' ? { ...best, acceptance } : best, ...others];
};
