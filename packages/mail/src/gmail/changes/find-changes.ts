import type { GmailSession } from '@mailsweep/mail/gmail/api';
import {
  ChangePendingError,
  isEmptyChange,
  isInEffect,
  type LabelChangeOutcome,
  MailboxError,
  NO_CHANGE,
  type RequestedLabelChange,
  toAppliedChange,
} from '@mailsweep/mail/mailbox';
import { groupByMessage, type LabelRecord } from '@mailsweep/mail/message-cache';
import { type MessageCache, readGmailHistory } from '../cache/catch-up.ts';
import { type LabelsReading, readLabels } from '../reading/read-labels.ts';
import {
  findAppliedChange,
  isApplied,
  isDoneByRecords,
  isHistoryBehind,
  type Probe,
  probeMessages,
} from './change-outcome.ts';

const toNotMade = (id: string, error: MailboxError, isUnsure = false): LabelChangeOutcome => ({
  id,
  status: 'error',
  error,
  isUnsure,
});

const NOT_MADE = new MailboxError('failed', 'The change was not made');

const isNothing = (change: RequestedLabelChange): boolean =>
  isEmptyChange(change.before ? toAppliedChange(change.before, change) : change);

const outcomeByRecords = (
  change: RequestedLabelChange,
  records: readonly LabelRecord[],
): LabelChangeOutcome | undefined => {
  const { id, isAhead } = change;
  // The history may show earlier changes of ours, which `before` has already.
  const applied = isAhead && isNothing(change) ? undefined : findAppliedChange(records, change);
  if (applied) return { id, status: 'ok', change: applied.change, historyId: applied.historyId };
  return isNothing(change) ? { id, status: 'ok', change: NO_CHANGE } : undefined;
};

/** After this every record counts as shown, in milliseconds: 2 minutes. The longest delay that was seen is 3 seconds. */
const SHOWN_AFTER_MS = 2 * 60 * 1_000;

const shuffle = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);

/** What is known of how far the history is behind. */
interface HistoryEvidence {
  records: Map<string, LabelRecord[]>;
  start: bigint;
  /** The history shows other changes of the same call. */
  hasTraces: boolean;
  isRecent: boolean;
}

/**
 * What became of changes without a trace in the history: a few messages show whether it is behind. Where it is, or where it
 * shows none of the changes, whether a change was made, or what it took, stays open for those messages that do not tell
 * themselves.
 */
const judgeUntraced = async (
  session: GmailSession,
  changes: readonly RequestedLabelChange[],
  { records, start, hasTraces, isRecent }: HistoryEvidence,
): Promise<LabelChangeOutcome[]> => {
  const ids = changes.map(({ id }) => id);
  // A record that is still missing is lost. Other messages are read each time, so that one does not keep all others open.
  const probes = isRecent
    ? await probeMessages(session, ids, records, start)
    : await probeMessages(session, shuffle(ids), records, start, () => false);
  const wantedOf = new Map(changes.map((change) => [change.id, change]));
  const isUnmade = ([id, probe]: [string, Probe]) => {
    const change = wantedOf.get(id);
    return change !== undefined && probe.state === 'unchanged' && !isInEffect(probe.labels, change);
  };
  const mayShowMore = isRecent && !hasTraces && ![...probes].some(isUnmade);
  const isOpenUntold = isHistoryBehind(probes) || mayShowMore;
  return changes.map((change) => {
    const { id, isDone } = change;
    const probe = probes.get(id);
    if (probe?.state === 'error') return toNotMade(id, probe.error, probe.error.code !== 'not_found');
    const isLastTold = probe?.state === 'told';
    const isSure = !isRecent || isDoneByRecords(records.get(id), change);
    const isTold = probe?.state === 'unchanged' || (isLastTold && isSure);
    const isOpen = !isTold && (isOpenUntold || isLastTold);
    if (isOpen && isDone) return { id, status: 'ok' };
    // Of a message that does not look changed, the late record is of something else.
    const mayBeMade = probe === undefined || isInEffect(probe.labels, change);
    if (isOpen && mayBeMade) return toNotMade(id, new ChangePendingError(), true);
    return isDone ? { id, status: 'ok', change: NO_CHANGE } : toNotMade(id, NOT_MADE);
  });
};

const outcomeByLabels = (
  change: RequestedLabelChange,
  reading: LabelsReading | undefined,
): LabelChangeOutcome => {
  const { id, before, added, removed, isDone } = change;
  const likely = before ? toAppliedChange(before, change) : { added, removed };
  if (isNothing(change)) return { id, status: 'ok', change: NO_CHANGE };
  if (isDone) return { id, status: 'ok', change: likely };
  if (reading === undefined) return toNotMade(id, NOT_MADE);
  if ('error' in reading) {
    return toNotMade(id, reading.error, reading.error.code !== 'not_found');
  }
  if (!isInEffect(reading.labels, change)) return toNotMade(id, NOT_MADE);
  return { id, status: 'ok', change: likely };
};

const findByHistory = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  changes: readonly RequestedLabelChange[],
  start: bigint,
  isRecent: boolean,
): Promise<LabelChangeOutcome[] | undefined> => {
  const history = await readGmailHistory(session, start);
  if (history === undefined) return undefined;
  await cache?.attempt((store) => store.advance(start, history.historyId, history.records));
  const records = groupByMessage(history.records);
  const toOutcome = (change: RequestedLabelChange) => outcomeByRecords(change, records.get(change.id) ?? []);
  const untraced = changes.filter((change) => toOutcome(change) === undefined);
  const hasTraces = changes.some((change) => isApplied(toOutcome(change)));
  const judged = await judgeUntraced(session, untraced, { records, start, hasTraces, isRecent });
  const judgedOf = new Map(judged.map((outcome) => [outcome.id, outcome]));
  return changes.flatMap((change) => toOutcome(change) ?? judgedOf.get(change.id) ?? []);
};

/**
 * Finds out what became of changes after a point of the history, without changing anything, and brings the store up to
 * date with it. Where the history is gone, labels that look as wanted count as changed.
 */
export const findChanges = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  changes: readonly RequestedLabelChange[],
  historyId: string | undefined,
  ageMs = 0,
): Promise<LabelChangeOutcome[]> => {
  if (changes.every(isEmptyChange)) return changes.map(({ id }) => ({ id, status: 'ok', change: NO_CHANGE }));
  try {
    const found =
      historyId === undefined
        ? undefined
        : await findByHistory(session, cache, changes, BigInt(historyId), ageMs < SHOWN_AFTER_MS);
    if (found) return found;
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
