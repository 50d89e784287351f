import { isSuggestedAction } from '@mailsweep/contracts';

/** What would happen to some emails: how many of them for each action. */
export interface Consequences {
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
export const toConsequences = (
  actions: Readonly<Record<string, number>>,
  labels: readonly string[] = [],
): Consequences => {
  const counts = Object.entries(actions)
    .filter(([, count]) => count > 0)
    .sort(([a], [b]) => toPlace(a) - toPlace(b))
    .map(([action, count]) => ({ action, count, labels: action === 'label' ? [...labels] : [] }));
  return { counts, total: counts.reduce((sum, { count }) => sum + count, 0) };
};

/** Whether all that is suggested is advice, which there is nothing to carry out of. */
export const isOnlyAdvice = (actions: Readonly<Record<string, number>>): boolean => {
  const { counts, total } = toConsequences(actions);
  return total > 0 && counts.every(({ action }) => !isSuggestedAction(action));
};
