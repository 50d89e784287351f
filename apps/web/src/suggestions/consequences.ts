import { isSuggestedAction } from '@mailsweep/contracts';
import { formatCount } from '../email/counts.ts';
import { TO_DO } from '../email/email-words.ts';

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

/** @param labels - classifications of the emails to label, if known */
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

/** What a button does: `Archive 68, trash 24`; advice does nothing. */
export const describeToDo = (actions: Readonly<Record<string, number>>): string =>
  toConsequences(actions)
    .counts.flatMap(({ action, count }) =>
      isSuggestedAction(action) ? TO_DO[action](formatCount(count)) : [],
    )
    .map((words, index) => (index === 0 ? words : words.charAt(0).toLowerCase() + words.slice(1)))
    .join(', ');

/** Whether accepting would do nothing. */
export const isOnlyAdvice = (actions: Readonly<Record<string, number>>): boolean => {
  const { counts, total } = toConsequences(actions);
  return total > 0 && counts.every(({ action }) => !isSuggestedAction(action));
};
