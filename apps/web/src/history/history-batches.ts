import type { ActionHistoryRecord, ActionSource, RecordedAction } from '@mailsweep/contracts';

/** Records of the same kind that lie no further apart than this were one thing the user did. */
const BATCH_GAP_MS = 3_000;

/** One thing the user did, on one email or on many. */
export interface HistoryBatch {
  /** Id of its newest record. */
  key: string;
  action: RecordedAction;
  source: ActionSource;
  /** When it was done; of its newest record. */
  timestamp: string;
  records: ActionHistoryRecord[];
}

const belongsTo = (batch: HistoryBatch, record: ActionHistoryRecord): boolean => {
  const last = batch.records.at(-1) ?? record;
  return (
    batch.action === record.action &&
    batch.source === record.details.source &&
    Math.abs(Date.parse(last.timestamp) - Date.parse(record.timestamp)) <= BATCH_GAP_MS &&
    // The same email twice means that it was done, undone and done again.
    !batch.records.some((other) => other.emailId === record.emailId)
  );
};

/** Joins records, newest first, to the things the user did. A record that two pages hold counts once. */
export const toHistoryBatches = (records: readonly ActionHistoryRecord[]): HistoryBatch[] => {
  const batches: HistoryBatch[] = [];
  const seen = new Set<string>();
  for (const record of records) {
    if (seen.has(record.id)) continue;
    seen.add(record.id);
    const current = batches.at(-1);
    if (current && belongsTo(current, record)) current.records.push(record);
    else {
      const { id: key, action, timestamp } = record;
      batches.push({ key, action, timestamp, source: record.details.source, records: [record] });
    }
  }
  return batches;
};

/** The records of a batch that can still be undone. */
export const undoableRecords = (batch: HistoryBatch): ActionHistoryRecord[] =>
  batch.records.filter((record) => record.undoneAt === null);
