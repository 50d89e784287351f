import { isSuggestedAction, SUGGESTED_ACTIONS, type Suggestion } from '@mailsweep/contracts';

/** What a service suggests for an email: an action that Mailsweep carries out, any `other`, or `none`. */
export const COMPARED_ACTIONS = [...SUGGESTED_ACTIONS, 'other', 'none'] as const;
export type ComparedAction = (typeof COMPARED_ACTIONS)[number];

export interface Comparison {
  result: 'agreed' | 'differed';
  primary: ComparedAction;
  shadow: ComparedAction;
}

/** The action of the most confident suggestion, which is the one that accepting carries out. */
const bestAction = (suggestions: readonly Suggestion[]): string | undefined =>
  suggestions.toSorted((a, b) => b.confidence_score - a.confidence_score)[0]?.action;

const toCompared = (action: string | undefined): ComparedAction => {
  if (action === undefined) return 'none';
  return isSuggestedAction(action) ? action : 'other';
};

/** Compares what two services suggest first for one email. Other words of a service are compared as they are, too. */
export const compareSuggestions = (
  primary: readonly Suggestion[],
  shadow: readonly Suggestion[],
): Comparison => {
  const [ours, theirs] = [bestAction(primary), bestAction(shadow)];
  return {
    result: ours === theirs ? 'agreed' : 'differed',
    primary: toCompared(ours),
    shadow: toCompared(theirs),
  };
};
