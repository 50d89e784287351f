import type { Behaviour } from '../behaviour.ts';
import type { EmulatorRecord } from '../protocol/gmail-responses.ts';

const LABEL_OF_IMPORTANCE = 'IMPORTANT';

/** A record as a client sees it, but for its id. */
export type RecordContent = Omit<EmulatorRecord, 'id'>;

const withoutLabels = (record: EmulatorRecord): RecordContent => ({
  ...record,
  labelsAdded: [],
  labelsRemoved: [],
});

const isLabelChange = ({ labelsAdded, labelsRemoved }: RecordContent): boolean =>
  labelsAdded.length > 0 || labelsRemoved.length > 0;

const isImportance = ({ labelsAdded, labelsRemoved }: RecordContent): boolean =>
  [...labelsAdded, ...labelsRemoved].every(({ labelIds }) => labelIds.join() === LABEL_OF_IMPORTANCE) &&
  isLabelChange({ labelsAdded, labelsRemoved } as RecordContent);

const split = (record: EmulatorRecord, order: Behaviour['historyRecords']): RecordContent[] => {
  if (order === 'joined' || record.labelsAdded.length === 0 || record.labelsRemoved.length === 0) {
    return [record];
  }
  const added = { ...withoutLabels(record), labelsAdded: record.labelsAdded };
  const removed = { ...withoutLabels(record), labelsRemoved: record.labelsRemoved };
  return order === 'added_first' ? [added, removed] : [removed, added];
};

/** Puts changes of importance behind the first record of their message, as if Gmail made them meanwhile. */
const interleave = (records: RecordContent[]): RecordContent[] => {
  const importance = records.filter(isImportance);
  const [first, ...others] = records.filter((record) => !isImportance(record));
  return first === undefined ? importance : [first, ...importance, ...others];
};

/**
 * What one call left behind in the emulator's history, as the settings want it shown: messages in some order, each
 * with one record or several.
 */
export const arrangeRecords = (
  records: readonly EmulatorRecord[],
  { historyRecords, historyBatchOrder }: Behaviour,
): RecordContent[] => {
  const byMessage = [...Map.groupBy(records, ({ messages }) => messages[0]?.id).values()];
  if (historyBatchOrder === 'reversed') byMessage.reverse();
  return byMessage.flatMap((own) => interleave(own.flatMap((record) => split(record, historyRecords))));
};
