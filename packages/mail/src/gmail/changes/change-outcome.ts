import type { FailureReason } from '@mailsweep/contracts';
import {
  type AppliedLabelChange,
  applyChange,
  areSameLabels,
  isEmptyChange,
  isInEffect,
  type LabelChangeOutcome,
  MailboxError,
  NO_CHANGE,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import { type LabelRecord, toLater } from '@mailsweep/mail/message-cache';
import { findAppliedChange } from './applied-change.ts';
import { isRefusal, type SentChange } from './send-changes.ts';

/** Errors after which a change may have been made all the same: a response never came, or made no sense to us. */
const UNSURE_REASONS: ReadonlySet<FailureReason> = new Set(['mailbox_unavailable', 'failed', 'rate_limited']);

const mayHaveHappened = (error: MailboxError): boolean => UNSURE_REASONS.has(error.code) && !isRefusal(error);

export const toFailure = (
  id: string,
  error: MailboxError,
  isUnsure = mayHaveHappened(error),
): LabelChangeOutcome => ({ id, status: 'error', error, isUnsure });

/** The outcome of a change of a message that was as requested already. */
export const toUnchanged = (id: string): LabelChangeOutcome => ({ id, status: 'ok', change: NO_CHANGE });

/** The outcome of a change that was made, of which it is not known yet what it changed. */
export const toPending = (id: string): LabelChangeOutcome => ({ id, status: 'ok' });

export const isApplied = (outcome: LabelChangeOutcome | undefined): boolean =>
  outcome?.status === 'ok' && outcome.change !== undefined && !isEmptyChange(outcome.change);

/** The outcome by the response to a change alone; undefined when the history has to be read. */
export const outcomeByResponse = (
  { change, response, error, isSingle }: SentChange,
  start: bigint,
): LabelChangeOutcome | undefined => {
  const { id, before, added, removed } = change;
  // No message has a label that does not exist.
  const isOffAlready = error?.code === 'label_gone' && added.length === 0 && removed.length === 1;
  if (isSingle && error) return isOffAlready ? toUnchanged(id) : toFailure(id, error);
  // The history may show earlier changes of ours in between, which `before` has already.
  const isTold = !error && change.isAhead === true;
  if (isTold && before) return { id, status: 'ok', change: toAppliedChange(before, change) };
  if (response === undefined) return undefined;
  const { labelIds, historyId } = response;
  // Nothing has changed the message since before the change.
  if (historyId != null && historyId <= start) return toUnchanged(id);
  if (before === undefined) return undefined;
  const real = toAppliedChange(before, change);
  // Another client changed the message since its labels were read: others than expected, or more than nothing.
  if (!areSameLabels(labelIds ?? [], applyChange(before, change))) return undefined;
  if (isEmptyChange(real) && !change.isAhead) return undefined;
  return { id, status: 'ok', change: real, historyId: historyId == null ? undefined : String(historyId) };
};

/** An applied change as an outcome; it is valid up to `readUntil` where the history has nothing later. */
const toApplied = (
  id: string,
  { change, historyId }: Required<AppliedLabelChange>,
  records: readonly LabelRecord[],
  readUntil: bigint,
): LabelChangeOutcome => {
  const appliedAt = BigInt(historyId ?? 0);
  const isLast = !records.some((record) => record.historyId > appliedAt);
  return { id, status: 'ok', change, historyId: String(isLast ? toLater(readUntil, appliedAt) : appliedAt) };
};

/** Whether the known labels and the records since make the message look as it does without our change. */
const isExplained = ({ change, response }: SentChange, records: readonly LabelRecord[]): boolean => {
  if (change.before === undefined) return false;
  const labels = records.reduce<string[]>(applyChange, change.before);
  return response ? areSameLabels(labels, response.labelIds ?? []) : isInEffect(labels, change);
};

/**
 * The outcome of a change that was sent, by the history.
 *
 * @param records - of this message, since before the change
 * @returns undefined when the change left no trace, or not yet
 */
export const outcomeByHistory = (
  sent: SentChange,
  records: readonly LabelRecord[],
  readUntil: bigint,
): LabelChangeOutcome | undefined => {
  const { change, response, error } = sent;
  const { id } = change;
  const until = response?.historyId;
  const own = records.filter((record) => until == null || record.historyId <= until);
  const applied = findAppliedChange(own, change);
  if (applied) return toApplied(id, applied, records, readUntil);
  if (error) return toFailure(id, error);
  if (response === undefined && records.some((record) => record.isDeleted)) {
    return toFailure(id, new MailboxError('not_found', 'The message was deleted'));
  }
  return isExplained(sent, own) ? toUnchanged(id) : undefined;
};

/**
 * What a batch that Gmail accepted did to a message with known labels before, where the history does not show it.
 *
 * @param records - of this message, since before the change
 */
export const outcomeByLabelsBefore = (
  { change, isSingle }: SentChange,
  records: readonly LabelRecord[],
): LabelChangeOutcome | undefined => {
  const { id, before } = change;
  if (before === undefined || isSingle) return undefined;
  return { id, status: 'ok', change: toAppliedChange(records.reduce<string[]>(applyChange, before), change) };
};
