import type { FailureReason } from '@mailsweep/contracts';
import type { Keeping } from './catch-up.ts';
import {
  groupByMessage,
  type History,
  type LabelRecord,
  readHistory,
  readHistoryId,
} from './gmail-history.ts';
import type { GmailSession } from './gmail-http.ts';
import { toBatchModifyRequest, toModifyRequest } from './gmail-requests.ts';
import type { ModifiedMessage } from './gmail-schemas.ts';
import { applyChange, areSameLabels, isEmptyChange, NO_CHANGE, toRealChange } from './label-change.ts';
import { findReceipt, type LabelReceipt } from './label-receipt.ts';
import { type LabelChangeOutcome, MailboxError, type WantedLabelChange } from './mailbox.ts';
import type { KeptLabels } from './message-store.ts';

/** Up to so many messages are changed one by one; beyond, a batch costs less. */
export const MAX_SINGLE_CHANGES = 10;
/** Most messages that Gmail changes in one batch. */
const MAX_BATCH = 1_000;
/** Faults after which a change may have been made all the same: an answer never came, or made no sense to us. */
const UNSURE_REASONS: ReadonlySet<FailureReason> = new Set(['mailbox_unavailable', 'failed', 'rate_limited']);

/** A change that was sent, by itself or in a batch, and what was answered. A good batch answers nothing. */
interface Sent {
  change: WantedLabelChange;
  answer?: ModifiedMessage;
  error?: MailboxError;
  isSingle: boolean;
}

type Attempt<T> = { answer: T; error?: never } | { answer?: never; error: MailboxError };

const attempt = async <T>(work: () => Promise<T>): Promise<Attempt<T>> => {
  try {
    return { answer: await work() };
  } catch (error) {
    if (error instanceof MailboxError) return { error };
    throw error;
  }
};

const sendSingle = async (session: GmailSession, change: WantedLabelChange): Promise<Sent> => ({
  change,
  isSingle: true,
  // Within the attempt: an id that can be none is refused here.
  ...(await attempt(() => session.send(toModifyRequest(change)))),
});

/** Sends one change of many messages. An id that Gmail can't even read fails all of them, so it is singled out. */
const sendBatch = async (session: GmailSession, changes: readonly WantedLabelChange[]): Promise<Sent[]> => {
  const ids = changes.map(({ id }) => id);
  const wanted = changes[0] ?? NO_CHANGE;
  const { error } = await attempt(() => session.send(toBatchModifyRequest(ids, wanted)));
  if (error?.code === 'not_found') return await sendAlike(session, changes, Math.ceil(changes.length / 2));
  return changes.map((change) => ({ change, isSingle: false, ...(error && { error }) }));
};

/** Sends one change of messages, one by one where they are few. */
const sendAlike = async (
  session: GmailSession,
  changes: readonly WantedLabelChange[],
  batchSize = MAX_BATCH,
): Promise<Sent[]> => {
  if (changes.length <= MAX_SINGLE_CHANGES) {
    return await Promise.all(changes.map((change) => sendSingle(session, change)));
  }
  const batches = split(changes, batchSize).map((batch) => sendBatch(session, batch));
  return (await Promise.all(batches)).flat();
};

const split = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Sends changes: those that many messages share in batches, the others one by one. */
const send = async (session: GmailSession, changes: readonly WantedLabelChange[]): Promise<Sent[]> => {
  const toKey = ({ added, removed }: WantedLabelChange) =>
    JSON.stringify([added.toSorted(), removed.toSorted()]);
  const groups = [...Map.groupBy(changes, toKey).values()];
  return (await Promise.all(groups.map((group) => sendAlike(session, group)))).flat();
};

const toFailure = (
  id: string,
  error: MailboxError,
  isUnsure = UNSURE_REASONS.has(error.code),
): LabelChangeOutcome => ({ id, status: 'error', error, isUnsure });

const toUnchanged = (id: string): LabelChangeOutcome => ({ id, status: 'ok', change: NO_CHANGE });

/** What the answer to a single change tells alone; undefined when the history has to be asked. */
const outcomeByAnswer = (
  { change, answer, error, isSingle }: Sent,
  start: bigint,
): LabelChangeOutcome | undefined => {
  const { id, before } = change;
  if (isSingle && error) return toFailure(id, error);
  if (answer === undefined || before === undefined) return undefined;
  const { labelIds, historyId } = answer;
  const real = toRealChange(before, change);
  // Somebody else changed the message since its labels were read: others than expected, or more than nothing.
  if (!areSameLabels(labelIds ?? [], applyChange(before, change))) return undefined;
  if (isEmptyChange(real) && (historyId == null || historyId > start)) return undefined;
  return { id, status: 'ok', change: real, historyId: historyId == null ? undefined : String(historyId) };
};

/** A receipt as an outcome; it holds for as long as the history tells of nothing later. */
const toMade = (
  id: string,
  { change, historyId }: LabelReceipt,
  records: readonly LabelRecord[],
  readUntil: bigint,
): LabelChangeOutcome => {
  const isLast = !records.some((record) => record.historyId > historyId);
  const standsAt = isLast && readUntil > historyId ? readUntil : historyId;
  return { id, status: 'ok', change, historyId: String(standsAt) };
};

/** The records of one message, up to the one that its answer speaks of. */
const recordsUntil = (
  records: readonly LabelRecord[] | undefined,
  answer: ModifiedMessage | undefined,
): LabelRecord[] => {
  const until = answer?.historyId;
  return (records ?? []).filter((record) => until == null || record.historyId <= until);
};

/** What the history tells of a change that was sent; undefined when it tells nothing. */
const outcomeByHistory = (
  { change, answer, error }: Sent,
  records: Map<string, LabelRecord[]>,
  readUntil: bigint,
): LabelChangeOutcome | undefined => {
  const { id, before } = change;
  const own = records.get(id) ?? [];
  const receipt = findReceipt(recordsUntil(own, answer), change);
  if (receipt) return toMade(id, receipt, own, readUntil);
  if (answer) return toUnchanged(id);
  if (error) return toFailure(id, error);
  if (own.some((record) => record.isDeleted)) {
    return toFailure(id, new MailboxError('not_found', 'The message was deleted'));
  }
  return before && isEmptyChange(toRealChange(before, change)) ? toUnchanged(id) : undefined;
};

/**
 * Changes one by one what a batch left no trace of: messages that don't exist, or that were as wanted already.
 *
 * @param history - since before the batch
 */
const changeStragglers = async (
  session: GmailSession,
  changes: readonly WantedLabelChange[],
  history: History,
): Promise<LabelChangeOutcome[]> => {
  const sent = await Promise.all(changes.map((change) => sendSingle(session, change)));
  const isPast = ({ historyId }: ModifiedMessage) => historyId == null || historyId > history.historyId;
  const needsMore = sent.some(({ answer }) => answer !== undefined && isPast(answer));
  const later = needsMore ? await attempt(() => readHistory(session, history.historyId)) : undefined;
  const known = history.records.filter((record) => record.historyId <= history.historyId);
  const records = groupByMessage([...known, ...(later?.answer?.records ?? [])]);
  return sent.map((one) => {
    const { id } = one.change;
    if (one.error) return toFailure(id, one.error);
    if (one.answer && isPast(one.answer) && later?.answer === undefined) return { id, status: 'ok' };
    return outcomeByHistory(one, records, later?.answer?.historyId ?? history.historyId) ?? toUnchanged(id);
  });
};

const HISTORY_GONE = new MailboxError('mailbox_unavailable', 'The history of the mailbox could not be read');

/** What came of changes whose answers do not tell, by the history since before they were sent. */
const settleByHistory = async (
  session: GmailSession,
  keeping: Keeping | undefined,
  open: readonly Sent[],
  start: bigint,
): Promise<LabelChangeOutcome[]> => {
  if (open.length === 0) return [];
  const { answer: history, error } = await attempt(() => readHistory(session, start));
  if (history === undefined) {
    return open.map(({ change, answer, error: refusal }) =>
      answer ? { id: change.id, status: 'ok' } : toFailure(change.id, refusal ?? error ?? HISTORY_GONE, true),
    );
  }
  await keeping?.attempt((store) => store.advance(start, history.historyId, history.records));
  const records = groupByMessage(history.records);
  const outcomes: LabelChangeOutcome[] = [];
  const stragglers: WantedLabelChange[] = [];
  for (const sent of open) {
    const outcome = outcomeByHistory(sent, records, history.historyId);
    if (outcome) outcomes.push(outcome);
    else stragglers.push(sent.change);
  }
  return [...outcomes, ...(await changeStragglers(session, stragglers, history))];
};

const toKeptLabels = ({ answer }: Sent): KeptLabels[] =>
  answer?.historyId == null
    ? []
    : [{ id: answer.id, labels: answer.labelIds ?? [], historyId: answer.historyId }];

/**
 * Changes labels and finds out what that really changed (docs/decisions/022): by the answer where the labels before
 * were known, else by the history since `historyId`. A fault of one message stands in its own outcome.
 *
 * @throws {MailboxError} when there is no `historyId` and none can be read; nothing has been done then
 */
export const changeLabels = async (
  session: GmailSession,
  keeping: Keeping | undefined,
  changes: readonly WantedLabelChange[],
  historyId: string | undefined,
): Promise<LabelChangeOutcome[]> => {
  const wanted = changes.filter((change) => !isEmptyChange(change));
  if (wanted.length === 0) return changes.map(({ id }) => toUnchanged(id));
  const start = historyId === undefined ? await readHistoryId(session) : BigInt(historyId);

  const sent = await send(session, wanted);
  const answered = sent.flatMap((one) => outcomeByAnswer(one, start) ?? []);
  const open = sent.filter((one) => outcomeByAnswer(one, start) === undefined);
  const settled = await settleByHistory(session, keeping, open, start);
  const keptLabels = sent.flatMap(toKeptLabels);
  if (keptLabels.length > 0) await keeping?.attempt((store) => store.noteLabels(keptLabels));

  const outcomes = new Map([...answered, ...settled].map((outcome) => [outcome.id, outcome]));
  return changes.map(({ id }) => outcomes.get(id) ?? toUnchanged(id));
};
