import type { FailureReason, LabelChange } from '@mailsweep/contracts';
import { type GmailSession, type MessageLabels, toMessageLabelsRequest } from '@mailsweep/mail/gmail/api';
import {
  type AppliedLabelChange,
  applyChange,
  areSameLabels,
  isEmptyChange,
  isInEffect,
  isSameChange,
  type LabelChangeOutcome,
  MailboxError,
  NO_CHANGE,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import { type LabelRecord, toLater } from '@mailsweep/mail/message-cache';
import { attempt, isRefusal, type SentChange } from './send-changes.ts';

/**
 * How long the history is waited for after a change, in milliseconds between reads. Records of new mail were seen
 * missing 1 to 3 seconds after it (openclaw/gogcli#379); for label changes no figure is known.
 */
export const HISTORY_POLL_DELAYS_MS = [500, 1_000, 2_000] as const;
/** Most messages read, at 20 units each, to find out whether the history is behind: as many as are changed one by one. */
const MAX_PROBES = 10;

/** What a message itself says of the changes after a point of the history. */
export type Probe =
  /** Nothing changed it. */
  | { state: 'unchanged'; labels: string[] }
  /** Its last record is known; one before that may be shown late still. */
  | { state: 'told'; labels: string[] }
  /** Changed at `historyId`, and the record of that is late or lost. */
  | { state: 'behind'; labels: string[]; historyId: bigint }
  | { state: 'error'; error: MailboxError };

/** The last record of a message that is known, or the point from which the history was read. */
const toKnownUntil = (records: readonly LabelRecord[] | undefined, start: bigint): bigint =>
  records?.map(({ historyId }) => historyId).reduce(toLater, start) ?? start;

const judge = (
  { labelIds, historyId }: MessageLabels,
  records: readonly LabelRecord[] | undefined,
  start: bigint,
): Probe => {
  const labels = labelIds ?? [];
  if (historyId == null || historyId <= start) return { state: 'unchanged', labels };
  const isBehind = historyId > toKnownUntil(records, start);
  return isBehind ? { state: 'behind', labels, historyId } : { state: 'told', labels };
};

/**
 * Reads a few messages without a trace in the history one after another: a message names its last record (`historyId` of
 * users.messages).
 *
 * @param records - since `start`, by message
 * @param isEnough - ends the reading; by default a message which shows that the history is behind
 * @returns the messages that were read
 */
export const probeMessages = async (
  session: GmailSession,
  ids: readonly string[],
  records: Map<string, LabelRecord[]>,
  start: bigint,
  isEnough = ({ state }: Probe): boolean => state === 'behind',
): Promise<Map<string, Probe>> => {
  const probes = new Map<string, Probe>();
  for (const id of ids.slice(0, MAX_PROBES)) {
    const { response, error } = await attempt(() => session.send(toMessageLabelsRequest(id)));
    const found: Probe = response ? judge(response, records.get(id), start) : { state: 'error', error };
    probes.set(id, found);
    if (isEnough(found)) break;
  }
  return probes;
};

/** Probes once the history was read again: a record that was waited for may have come. */
export const reviewProbes = (
  probes: ReadonlyMap<string, Probe>,
  records: ReadonlyMap<string, LabelRecord[]>,
  start: bigint,
): Map<string, Probe> =>
  new Map(
    [...probes].map(([id, one]) => {
      const hasCome = one.state === 'behind' && one.historyId <= toKnownUntil(records.get(id), start);
      return [id, hasCome ? { state: 'told', labels: one.labels } : one];
    }),
  );

/** Whether records alone lead to what a change wants, so that it found nothing to do. */
export const isDoneByRecords = (records: readonly LabelRecord[] | undefined, change: LabelChange): boolean =>
  isInEffect((records ?? []).reduce<string[]>(applyChange, change.removed), change);

/** Whether any of the messages showed that the history is behind. */
export const isHistoryBehind = (probes: ReadonlyMap<string, Probe>): boolean =>
  [...probes.values()].some(({ state }) => state === 'behind');

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
