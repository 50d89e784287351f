import type { ConfirmRequest, SuggestionGroup } from '@mailsweep/contracts';
import { type QueryClient, skipToken, useQuery } from '@tanstack/react-query';
import type { SuggestionView } from '../../api/suggestions-query.ts';
import type { SuggestedEmail } from '../suggested-email.ts';

/** An action that the user chose over the suggested one. */
export interface OtherAction {
  action: NonNullable<ConfirmRequest['as']>;
  label: string;
}

/** A label needs a name. */
export const isReady = (other: OtherAction | undefined): boolean =>
  other?.action !== 'label' || other.label.trim() !== '';

/** Undefined if all emails have that suggestion: that is an acceptance, which the API learns from. */
export const toChange = (
  other: OtherAction | undefined,
  suggested: Readonly<Record<string, number>>,
): OtherAction | undefined => {
  const isSame = Object.entries(suggested).every(
    ([action, count]) => count === 0 || action === other?.action,
  );
  return isSame && other?.action !== 'label' ? undefined : other;
};

const DECISIONS_KEY = ['suggestions-in-flight'];
const NONE: readonly Decision[] = [];

/** A group or all groups of a view, without the emails that the user left out. */
export interface DecidedGroup {
  group: Pick<SuggestionGroup, 'by' | 'key'> | null;
  minAcceptance: SuggestionView['minAcceptance'];
  leftOut: readonly SuggestedEmail[];
}

/** Decided emails are hidden although the API may still list them. */
export type Decision = { ids: ReadonlySet<string>; emails: readonly SuggestedEmail[] } | DecidedGroup;

/**
 * Hides decided emails from the lists.
 *
 * @returns a function that shows what the API lists again
 */
export const beginDecision = (queryClient: QueryClient, decision: Decision): (() => void) => {
  const change = (toNext: (decisions: readonly Decision[]) => readonly Decision[]) =>
    queryClient.setQueryData<readonly Decision[]>(DECISIONS_KEY, (decisions = []) => toNext(decisions));
  change((decisions) => [...decisions, decision]);
  return () => void change((decisions) => decisions.filter((other) => other !== decision));
};

export const useDecisions = (): readonly Decision[] =>
  useQuery<readonly Decision[]>({
    queryKey: DECISIONS_KEY,
    queryFn: skipToken,
    gcTime: Number.POSITIVE_INFINITY,
  }).data ?? NONE;
