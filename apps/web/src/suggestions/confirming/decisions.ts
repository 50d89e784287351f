import type { SuggestionGroup } from '@mailsweep/contracts';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { SuggestionView } from '../../queries/suggestions-query.ts';
import type { SuggestedEmail } from '../suggested-email.ts';

const DECISIONS_KEY = ['suggestions-in-flight'];
const NONE: readonly Decision[] = [];

/** A group, or every one, as far as a view shows it, without the emails that the user has left out. */
export interface DecidedGroup {
  group: Pick<SuggestionGroup, 'by' | 'key'> | null;
  minAcceptance: SuggestionView['minAcceptance'];
  leftOut: readonly SuggestedEmail[];
}

/** What the user has decided about, which is not shown any more although the API may still list it. */
export type Decision = { ids: ReadonlySet<string>; emails: readonly SuggestedEmail[] } | DecidedGroup;

/**
 * Takes off the lists what is decided about, whatever the API lists meanwhile.
 *
 * @returns what ends that: the lists show what the API knows again
 */
export const beginDecision = (queryClient: QueryClient, decision: Decision): (() => void) => {
  const change = (toNext: (decisions: readonly Decision[]) => readonly Decision[]) =>
    queryClient.setQueryData<readonly Decision[]>(DECISIONS_KEY, (decisions = []) => toNext(decisions));
  change((decisions) => [...decisions, decision]);
  return () => void change((decisions) => decisions.filter((other) => other !== decision));
};

/** The decisions in flight. */
export const useDecisions = (): readonly Decision[] =>
  useQuery<readonly Decision[]>({
    queryKey: DECISIONS_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  }).data ?? NONE;
