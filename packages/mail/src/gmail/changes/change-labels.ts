import type { GmailSession } from '@mailsweep/mail/gmail/api';
import {
  applyChange,
  isEmptyChange,
  type LabelChangeOutcome,
  MailboxError,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import { groupByMessage, type LabelRecord, type OwnChange } from '@mailsweep/mail/message-cache';
import { type GmailHistory, type MessageCache, readGmailHistory, readHistoryId } from '../cache/catch-up.ts';
import {
  HISTORY_POLL_DELAYS_MS,
  isApplied,
  isDoneByRecords,
  isHistoryBehind,
  outcomeByHistory,
  outcomeByLabelsBefore,
  outcomeByResponse,
  type Probe,
  probeMessages,
  reviewProbes,
  toFailure,
  toPending,
  toUnchanged,
} from './change-outcome.ts';
import { attempt, MAX_SINGLE_CHANGES, type SentChange, sendChanges, sendSingle } from './send-changes.ts';

const HISTORY_GONE = new MailboxError('mailbox_unavailable', 'The history of the mailbox could not be read');

/** The history since before the changes, read again until it has what it should. */
interface ChangeTraces {
  records: Map<string, LabelRecord[]>;
  readUntil: bigint;
}

const toTraces = (history: GmailHistory): ChangeTraces => ({
  records: groupByMessage(history.records),
  readUntil: history.historyId,
});

const traceOf = ({ records, readUntil }: ChangeTraces, sent: SentChange): LabelChangeOutcome | undefined =>
  outcomeByHistory(sent, records.get(sent.change.id) ?? [], readUntil);

/** What is known of how far the history is behind. */
interface HistoryEvidence {
  /** A message was seen whose record is missing. */
  isBehind: boolean;
  /** The history shows other messages of the same call. */
  hasTraces: boolean;
  probes: ReadonlyMap<string, Probe>;
  records: ReadonlyMap<string, LabelRecord[]>;
}

/** What became of changes of messages whose labels before were not known, and of which the history shows nothing. */
const judgeUnknown = async (
  session: GmailSession,
  sent: readonly SentChange[],
  { isBehind, hasTraces, probes, records }: HistoryEvidence,
): Promise<LabelChangeOutcome[]> => {
  const outcomeOf = async (one: SentChange): Promise<LabelChangeOutcome> => {
    const { id } = one.change;
    const probe = probes.get(id);
    if (probe?.state === 'error') return toFailure(id, probe.error);
    if (probe?.state === 'unchanged') return toUnchanged(id);
    if (probe?.state === 'told') {
      return isDoneByRecords(records.get(id), one.change) ? toUnchanged(id) : toPending(id);
    }
    if (isBehind && (one.response || probe || sent.length > MAX_SINGLE_CHANGES)) return toPending(id);
    // A second time changes nothing more, and finds out whether the message exists.
    const { error } = one.response ? one : await sendSingle(session, one.change);
    if (error) return toFailure(id, error);
    return isBehind || !hasTraces ? toPending(id) : toUnchanged(id);
  };
  return await Promise.all(sent.map(outcomeOf));
};

/**
 * What came of changes whose responses do not say, by the history since before they were sent. Gmail may show its
 * records late: they are waited for where one is missing for certain. What still has none is known by the labels
 * before, or stays pending; only a message that says itself that nothing changed it counts as unchanged.
 */
const resolveByHistory = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  open: readonly SentChange[],
  start: bigint,
): Promise<{ outcomes: LabelChangeOutcome[]; unshown: OwnChange[] }> => {
  if (open.length === 0) return { outcomes: [], unshown: [] };
  const { response: first, error } = await attempt(() => readGmailHistory(session, start));
  if (first === undefined) {
    const toOutcome = ({ change, response, error: refusal }: SentChange): LabelChangeOutcome => {
      const { id, before } = change;
      if (!response) return toFailure(id, refusal ?? error ?? HISTORY_GONE, true);
      // A history that is gone will not tell later either: what the change took follows from the labels before.
      const isGone = error === undefined;
      return isGone && before ? { id, status: 'ok', change: toAppliedChange(before, change) } : toPending(id);
    };
    const outcomes = open.map(toOutcome);
    return { outcomes, unshown: open.flatMap((sent) => toOwnChange(sent, [], start)) };
  }

  let history = first;
  let traces = toTraces(history);
  const isUntraced = (sent: SentChange) => traceOf(traces, sent) === undefined;
  let untraced = open.filter(isUntraced);
  const awaitRecords = async (isAwaited: (sent: SentChange) => boolean) => {
    for (const delayMs of HISTORY_POLL_DELAYS_MS) {
      if (!untraced.some(isAwaited)) return;
      await session.pause(delayMs);
      const { response: later } = await attempt(() => readGmailHistory(session, start));
      if (later === undefined) return;
      history = later;
      traces = toTraces(history);
      untraced = untraced.filter(isUntraced);
    }
  };

  const isKnown = ({ change }: SentChange) => change.before !== undefined;
  const needsPolls = untraced.some(isKnown);
  await awaitRecords(isKnown);
  const toUnknownIds = () => untraced.filter((sent) => !isKnown(sent)).map(({ change }) => change.id);
  let probes = await probeMessages(session, toUnknownIds(), traces.records, start);
  if (isHistoryBehind(probes)) {
    if (!needsPolls) await awaitRecords((sent) => !isKnown(sent));
    probes = reviewProbes(probes, traces.records, start);
    // The history has reached one message; others may have been changed later.
    const unprobed = isHistoryBehind(probes) ? [] : toUnknownIds().filter((id) => !probes.has(id));
    probes = new Map([...probes, ...(await probeMessages(session, unprobed, traces.records, start))]);
  }
  const isBehind = isHistoryBehind(probes);
  await cache?.attempt((store) => store.advance(start, history.historyId, history.records));

  const hasTraces = open.some((sent) => isApplied(traceOf(traces, sent)));
  const recordsOf = ({ change }: SentChange) => traces.records.get(change.id) ?? [];
  const unknown: SentChange[] = [];
  const outcomes: LabelChangeOutcome[] = [];
  const unshown: OwnChange[] = [];
  for (const sent of open) {
    const outcome = traceOf(traces, sent) ?? outcomeByLabelsBefore(sent, recordsOf(sent));
    if (outcome) outcomes.push(outcome);
    else if (isKnown(sent)) outcomes.push(toPending(sent.change.id));
    else unknown.push(sent);
    if (isUntraced(sent)) unshown.push(...toOwnChange(sent, recordsOf(sent), start));
  }
  outcomes.push(
    ...(await judgeUnknown(session, unknown, { isBehind, hasTraces, probes, records: traces.records })),
  );
  return { outcomes, unshown };
};

/** What a change did that Gmail accepted, by the labels known before and the records since. */
const toOwnChange = (
  { change, error }: SentChange,
  records: readonly LabelRecord[],
  start: bigint,
): OwnChange[] => {
  if (error || change.before === undefined) return [];
  const own = toAppliedChange(records.reduce<string[]>(applyChange, change.before), change);
  // The history would never show a change of nothing.
  return isEmptyChange(own) ? [] : [{ id: change.id, ...own, at: start + 1n }];
};

/**
 * Changes labels and finds out what that really changed (docs/decisions/022): by the response where the labels before
 * were known, else by the history since `historyId`. An error of one message is in its own outcome.
 *
 * @throws {MailboxError} when there is no `historyId` and none can be read; nothing has been done then
 */
export const changeLabels = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  changes: readonly RequestedLabelChange[],
  historyId: string | undefined,
): Promise<LabelChangeOutcome[]> => {
  const wanted = changes.filter((change) => !isEmptyChange(change));
  if (wanted.length === 0) return changes.map(({ id }) => toUnchanged(id));
  const start = historyId === undefined ? await readHistoryId(session) : BigInt(historyId);

  const sent = await sendChanges(session, wanted);
  const toTold = (one: SentChange) => outcomeByResponse(one, start);
  const told = sent.filter((one) => toTold(one) !== undefined);
  const open = sent.filter((one) => toTold(one) === undefined);
  const note = async (unshown: OwnChange[]) => {
    if (unshown.length > 0) await cache?.attempt((store) => store.noteChanges(unshown));
  };
  // Before the history is read: what it shows of earlier changes must not be taken for these.
  await note(told.flatMap((one) => toOwnChange(one, [], start)));
  const resolved = await resolveByHistory(session, cache, open, start);
  await note(resolved.unshown);

  const outcomes = [...told.flatMap((one) => toTold(one) ?? []), ...resolved.outcomes];
  const outcomeOf = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
  return changes.map(({ id }) => outcomeOf.get(id) ?? toUnchanged(id));
};
