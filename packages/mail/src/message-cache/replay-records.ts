import type { LabelChange } from '@mailsweep/contracts';
import { applyChange, areSameLabels } from '@mailsweep/mail/mailbox';
import { type LabelRecord, toLater } from './label-record.ts';

/** A label that we added or removed, as long as the history does not show it. */
export interface UnshownLabel {
  label: string;
  isAdded: boolean;
  /** The first history id that the change can have. */
  at: bigint;
}

/** Labels with everything in them that changed up to a point of the history. */
interface LabelsUpTo {
  historyId: bigint;
  labels: string[];
}

/** Labels that also have changes of ours in them which the history does not show yet, oldest first. */
interface LabelsWithUnshown extends LabelsUpTo {
  unshown: UnshownLabel[];
}

const toLabels = ({ added, removed }: LabelChange): Pick<UnshownLabel, 'label' | 'isAdded'>[] => [
  ...added.map((label) => ({ label, isAdded: true })),
  ...removed.map((label) => ({ label, isAdded: false })),
];

/**
 * The labels of a message after records of it, oldest first; those it knows already are passed over.
 *
 * @returns undefined when the message was deleted
 */
export const applyRecords = <Labels extends LabelsUpTo>(
  known: Labels,
  records: readonly LabelRecord[],
): Labels | undefined => {
  const later = records.filter(({ historyId }) => historyId > known.historyId);
  if (later.some(({ isDeleted }) => isDeleted)) return undefined;
  return { ...known, labels: later.reduce<string[]>(applyChange, known.labels) };
};

/** Labels after a change of ours that Gmail accepted. */
export const addUnshown = <Labels extends LabelsWithUnshown>(
  known: Labels,
  { at, ...change }: LabelChange & { at: bigint },
): Labels => ({
  ...known,
  labels: applyChange(known.labels, change),
  unshown: [...known.unshown, ...toLabels(change).map((one) => ({ ...one, at }))],
});

/** What is still not shown once a record shows a label. Of several changes of one label the earliest is shown first. */
const withoutShown = (
  unshown: UnshownLabel[],
  { label, isAdded }: Pick<UnshownLabel, 'label' | 'isAdded'>,
  historyId: bigint,
): UnshownLabel[] => {
  const own = unshown.filter((one) => one.label === label);
  const shown = own.findIndex((one) => one.isAdded === isAdded && one.at <= historyId);
  if (shown === -1) return unshown;
  const later = own.slice(shown + 1).map((one) => ({ ...one, at: toLater(one.at, historyId + 1n) }));
  return [...unshown.filter((one) => one.label !== label), ...later];
};

/**
 * The labels of a cached message after all that a stretch of the history shows of it, oldest first. Records that were
 * applied before are applied again, since one that was shown late may stand before them: the last record of each label
 * holds. A record from before a change of ours that is not shown yet does not: that change came later.
 *
 * @returns the same object when that changes nothing; undefined when the message was deleted
 */
export const replayRecords = <Cached extends LabelsWithUnshown>(
  cached: Cached,
  records: readonly LabelRecord[],
): Cached | undefined => {
  const later = records.filter(({ historyId }) => historyId > cached.historyId);
  if (later.some(({ isDeleted }) => isDeleted)) return undefined;
  const labels = new Set(cached.labels);
  let { unshown } = cached;
  for (const record of later) {
    const { historyId } = record;
    for (const { label, isAdded } of toLabels(record)) {
      unshown = withoutShown(unshown, { label, isAdded }, historyId);
      if (unshown.some((own) => own.label === label && own.at > historyId)) continue;
      if (isAdded) labels.add(label);
      else labels.delete(label);
    }
  }
  const isSame = unshown === cached.unshown && areSameLabels([...labels], cached.labels);
  return isSame ? cached : { ...cached, labels: [...labels], unshown };
};
