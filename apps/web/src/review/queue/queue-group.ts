import type { SuggestionGroup } from '@mailsweep/contracts';
import type { SuggestionView } from '../../api/suggestions-query.ts';
import { countEach } from '../../email/counts.ts';
import { parseSender } from '../../email/sender/sender.ts';
import type { Decision } from '../../suggestions/confirming/decisions.ts';
import { type SuggestedEmail, toAcceptance } from '../../suggestions/suggested-email.ts';
import { describeReason } from '../../suggestions/suggestion-words.tsx';

/** Emails that share a decision. */
export interface QueueGroup extends SuggestionGroup {
  /** Of its row. */
  id: string;
  title: string;
  /** The sender's address, or the reason in a sentence. */
  note: string;
  /** The most frequent first. */
  reasons: string[];
}

export const toQueueGroup = (group: SuggestionGroup): QueueGroup => {
  const sender = parseSender(group.from ?? '');
  const reason = describeReason(group.classification ?? '');
  const byFrequency = Object.entries(group.classifications).sort(([, a], [, b]) => b - a);
  return {
    ...group,
    id: group.key,
    title: group.by === 'sender' ? sender.name : reason.name,
    note: group.by === 'sender' ? sender.address : reason.why,
    reasons: byFrequency.map(([classification]) => describeReason(classification).name),
  };
};

export const hasEmail = (
  group: Pick<SuggestionGroup, 'by' | 'key' | 'from'>,
  { minAcceptance }: SuggestionView,
  { from, suggestion }: SuggestedEmail,
): boolean => {
  if (toAcceptance(suggestion) < minAcceptance) return false;
  if (group.by === 'classification') return suggestion.classification === group.key;
  return parseSender(from).key === parseSender(group.from ?? '').key;
};

/** Counts a group's emails by action, without some of them. */
export const countWithout = (
  actions: Readonly<Record<string, number>>,
  emails: readonly SuggestedEmail[],
): Record<string, number> => {
  const counts = { ...actions };
  for (const { suggestion } of emails)
    counts[suggestion.action] = Math.max(0, (counts[suggestion.action] ?? 0) - 1);
  return counts;
};

const without = (group: SuggestionGroup, emails: readonly SuggestedEmail[]): SuggestionGroup[] => {
  const left = group.emails - emails.length;
  return left > 0 ? [{ ...group, emails: left, actions: countWithout(group.actions, emails) }] : [];
};

const countOf = (emails: readonly SuggestedEmail[]): Record<string, number> =>
  Object.fromEntries(countEach(emails.map(({ suggestion }) => suggestion.action)));

/** A group after a decision; undefined if nothing is left. */
const withDecision = (
  group: SuggestionGroup,
  view: SuggestionView,
  decision: Decision,
): SuggestionGroup[] => {
  if ('ids' in decision)
    return without(
      group,
      decision.emails.filter((email) => hasEmail(group, view, email)),
    );
  const { group: decided } = decision;
  const isDecided = decided === null || (decided.by === group.by && decided.key === group.key);
  // A view of less sure suggestions shows more than was decided about; only the API knows how much.
  if (!isDecided || decision.minAcceptance > view.minAcceptance) return [group];
  const left = decision.leftOut.filter((email) => hasEmail(group, view, email));
  return left.length > 0 ? [{ ...group, emails: left.length, actions: countOf(left) }] : [];
};

export const withDecisions = (
  groups: readonly SuggestionGroup[],
  view: SuggestionView,
  decisions: readonly Decision[],
): SuggestionGroup[] =>
  decisions.reduce<SuggestionGroup[]>(
    (current, decision) => current.flatMap((group) => withDecision(group, view, decision)),
    [...groups],
  );

/** Keeps groups in their places; new ones follow in their own order. */
export const keepOrder = <G extends { key: string }>(
  groups: readonly G[],
  before: readonly string[],
): G[] => {
  const places = new Map(before.map((key, index) => [key, index]));
  const placeOf = ({ key }: G) => places.get(key) ?? places.size;
  return [...groups].sort((a, b) => placeOf(a) - placeOf(b));
};
