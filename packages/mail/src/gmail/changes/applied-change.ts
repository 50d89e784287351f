import type { LabelChange } from '@mailsweep/contracts';
import {
  type AppliedLabelChange,
  applyChange,
  isEmptyChange,
  isSameChange,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import type { LabelRecord } from '@mailsweep/mail/message-cache';

/**
 * The labels that concern a requested change, as they were before the first record: by the record that first touches
 * one, else as they were known, else as the change leaves them, since otherwise it would have left a record.
 */
const inferLabelsBefore = (records: readonly LabelRecord[], requested: RequestedLabelChange): string[] => {
  const isPresent = (label: string, isWanted: boolean): boolean => {
    const first = records.find(({ added, removed }) => added.includes(label) || removed.includes(label));
    if (first !== undefined) return first.removed.includes(label);
    return requested.before?.includes(label) ?? isWanted;
  };
  return [
    ...requested.added.filter((label) => isPresent(label, true)),
    ...requested.removed.filter((label) => isPresent(label, false)),
  ];
};

const touches = (record: LabelRecord, change: LabelChange): boolean => {
  const labels = new Set([...change.added, ...change.removed]);
  return record.isDeleted || [...record.added, ...record.removed].some((label) => labels.has(label));
};

const isPartOf = (part: readonly string[], whole: readonly string[]): boolean =>
  part.every((label) => whole.includes(label));

/**
 * The first records that add up to exactly a change; undefined when they don't. Records of other labels may stand in
 * between: Gmail changes IMPORTANT by itself when mail leaves the inbox.
 */
const takeSum = (records: readonly LabelRecord[], change: LabelChange): LabelRecord[] | undefined => {
  const sum: LabelChange = { added: [], removed: [] };
  for (const [index, record] of records.entries()) {
    if (!touches(record, change)) continue;
    if (!isPartOf(record.added, change.added) || !isPartOf(record.removed, change.removed)) return undefined;
    sum.added.push(...record.added);
    sum.removed.push(...record.removed);
    if (isSameChange(sum, change)) return records.slice(0, index + 1);
  }
  return undefined;
};

/**
 * Looks for a requested change in the history of its message: for the last place where records changed
 * exactly what the change would have changed at that moment. The provider may put one change down in several records.
 *
 * @param records - of the one message, since before the change was asked for, oldest first
 * @returns undefined when it is not there: it was not made, or had nothing to change
 */
export const findAppliedChange = (
  records: readonly LabelRecord[],
  requested: RequestedLabelChange,
): Required<AppliedLabelChange> | undefined => {
  let labels = inferLabelsBefore(records, requested);
  let found: Required<AppliedLabelChange> | undefined;
  let rest = records;
  while (rest.length > 0) {
    const change = toAppliedChange(labels, requested);
    const sum = isEmptyChange(change) ? undefined : takeSum(rest, change);
    const last = sum?.at(-1);
    if (last) found = { change, historyId: String(last.historyId) };
    const passed = sum ?? rest.slice(0, 1);
    labels = passed.reduce(applyChange, labels);
    rest = rest.slice(passed.length);
  }
  return found;
};
