import type { LabelChange } from '@mailsweep/contracts';
import { SYSTEM_LABELS } from './labels.ts';

/** Where email waits to be deleted for good. */
const DISCARDED = [SYSTEM_LABELS.trash, SYSTEM_LABELS.spam];

export const NO_CHANGE: LabelChange = { added: [], removed: [] };

export const isEmptyChange = (change: LabelChange): boolean =>
  change.added.length === 0 && change.removed.length === 0;

/** The part of a wanted change that labels don't show yet: what a message really goes through. */
export const toAppliedChange = (labels: readonly string[], wanted: LabelChange): LabelChange => ({
  added: wanted.added.filter((label) => !labels.includes(label)),
  removed: wanted.removed.filter((label) => labels.includes(label)),
});

/** Whether labels look as they do right after a change: all it added is there, all it removed is gone. */
export const isInEffect = (labels: readonly string[], change: LabelChange): boolean =>
  change.added.every((label) => labels.includes(label)) &&
  !change.removed.some((label) => labels.includes(label));

/**
 * Whether a change can be taken back: it is in effect, and the email was not discarded since. An email that comes back
 * to the inbox and stays in the trash would be deleted with it.
 */
export const isReversible = (labels: readonly string[], change: LabelChange): boolean =>
  isInEffect(labels, change) &&
  !(
    change.removed.includes(SYSTEM_LABELS.inbox) &&
    DISCARDED.some((label) => labels.includes(label) && !change.added.includes(label))
  );

/** The change that takes another one back. */
export const toReverseChange = (change: LabelChange): LabelChange => ({
  added: change.removed,
  removed: change.added,
});

export const applyChange = (labels: readonly string[], change: LabelChange): string[] => [
  ...new Set(labels).union(new Set(change.added)).difference(new Set(change.removed)),
];

export const areSameLabels = (one: readonly string[], other: readonly string[]): boolean =>
  new Set(one).symmetricDifference(new Set(other)).size === 0;

/** Whether two changes put on and take off the same labels. */
export const isSameChange = (one: LabelChange, other: LabelChange): boolean =>
  areSameLabels(one.added, other.added) && areSameLabels(one.removed, other.removed);
