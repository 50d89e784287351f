import { isSuggestedAction } from '@mailsweep/contracts';
import type { SuggestedEmail } from './suggested-email.ts';

/** What would happen to some emails: how many of them for each action. */
export interface Plan {
  counts: { action: string; count: number; labels: string[] }[];
  total: number;
}

/** Other actions are advice, and come last. */
const ACTION_ORDER = ['archive', 'delete', 'label', 'notify'];

const toPlace = (action: string): number => {
  const place = ACTION_ORDER.indexOf(action);
  return place < 0 ? ACTION_ORDER.length : place;
};

/**
 * What would happen to emails that the API has counted.
 *
 * @param labels - classifications of the emails to be labelled, where they are known
 */
export const toPlanOfCounts = (
  actions: Readonly<Record<string, number>>,
  labels: readonly string[] = [],
): Plan => {
  const counts = Object.entries(actions)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => toPlace(a) - toPlace(b))
    .map(([action, count]) => ({ action, count, labels: action === 'label' ? [...labels] : [] }));
  return { counts, total: counts.reduce((sum, { count }) => sum + count, 0) };
};

/** Whether all that is suggested is advice, which there is nothing to carry out of. */
export const isOnlyAdvice = (actions: Readonly<Record<string, number>>): boolean => {
  const { counts, total } = toPlanOfCounts(actions);
  return total > 0 && counts.every(({ action }) => !isSuggestedAction(action));
};

/** Adds up what accepting these emails would do. */
export const toPlan = (emails: readonly SuggestedEmail[]): Plan => {
  const byAction = Map.groupBy(emails, (email) => email.suggestion.action);
  const labelled = byAction.get('label') ?? [];
  return toPlanOfCounts(
    Object.fromEntries([...byAction].map(([action, members]) => [action, members.length])),
    [...new Set(labelled.map((email) => email.suggestion.classification))],
  );
};
