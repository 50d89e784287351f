import { groupByMessage, type LabelRecord, readHistory } from './gmail-history.ts';
import type { GmailSession } from './gmail-http.ts';
import { isEmptyChange, isInEffect, NO_CHANGE, toRealChange } from './label-change.ts';
import { findReceipt } from './label-receipt.ts';
import { type LabelChangeOutcome, MailboxError, type WantedLabelChange } from './mailbox.ts';
import { type LabelsReading, readLabels } from './message-labels.ts';

const toNotMade = (id: string, error: MailboxError, isUnsure = false): LabelChangeOutcome => ({
  id,
  status: 'error',
  error,
  isUnsure,
});

const NOT_MADE = new MailboxError('failed', 'The change was not made');

const isNothing = (change: WantedLabelChange): boolean =>
  isEmptyChange(change.before ? toRealChange(change.before, change) : change);

const outcomeByRecords = (change: WantedLabelChange, records: readonly LabelRecord[]): LabelChangeOutcome => {
  const { id } = change;
  const receipt = findReceipt(records, change);
  if (receipt) return { id, status: 'ok', change: receipt.change, historyId: String(receipt.historyId) };
  if (isNothing(change) || change.isDone) return { id, status: 'ok', change: NO_CHANGE };
  return toNotMade(id, NOT_MADE);
};

const outcomeByLabels = (
  change: WantedLabelChange,
  reading: LabelsReading | undefined,
): LabelChangeOutcome => {
  const { id, before, added, removed, isDone } = change;
  const likely = before ? toRealChange(before, change) : { added, removed };
  if (isNothing(change)) return { id, status: 'ok', change: NO_CHANGE };
  if (isDone) return { id, status: 'ok', change: likely };
  if (reading === undefined) return toNotMade(id, NOT_MADE);
  if ('error' in reading) {
    return toNotMade(id, reading.error, reading.error.code !== 'not_found');
  }
  if (!isInEffect(reading.labels, change)) return toNotMade(id, NOT_MADE);
  return { id, status: 'ok', change: likely };
};

const readRecords = async (
  session: GmailSession,
  historyId: string | undefined,
): Promise<Map<string, LabelRecord[]> | undefined> => {
  const history = historyId === undefined ? undefined : await readHistory(session, BigInt(historyId));
  return history && groupByMessage(history.records);
};

/**
 * Finds out what became of changes after a point of the history, without changing anything. Where the history is gone,
 * labels that look as wanted count as changed.
 */
export const findChanges = async (
  session: GmailSession,
  changes: readonly WantedLabelChange[],
  historyId: string | undefined,
): Promise<LabelChangeOutcome[]> => {
  if (changes.every(isEmptyChange)) return changes.map((change) => outcomeByRecords(change, []));
  try {
    const records = await readRecords(session, historyId);
    if (records) return changes.map((change) => outcomeByRecords(change, records.get(change.id) ?? []));
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
    return changes.map(({ id }) => toNotMade(id, error, true));
  }
  const readings = await readLabels(
    session,
    changes.filter((change) => !isNothing(change) && !change.isDone).map(({ id }) => id),
  );
  const readingOf = new Map(readings.map((reading) => [reading.id, reading]));
  return changes.map((change) => outcomeByLabels(change, readingOf.get(change.id)));
};
