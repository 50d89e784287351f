import { type GmailSession, MailboxError, toMessageLabelsRequest } from '@mailsweep/gmail';
import { type CaughtUp, catchUp, type Keeping } from '../cache/catch-up.ts';
import {
  applyRecords,
  groupByMessage,
  type LabelRecord,
  readHistory,
  readHistoryId,
  toLater,
} from '../cache/gmail-history.ts';
import type { KeptLabels, Snapshot } from '../cache/message-store.ts';
import type { ChangeStanding, LabelsBaseline, MadeLabelChange } from '../mailbox.ts';
import { isMail } from '../reading/email-query.ts';
import { findNoMail } from '../reading/find-no-mail.ts';
import { isInEffect } from './label-change.ts';
import { MAX_SINGLE_CHANGES } from './send-changes.ts';

/** The labels of one message, or why they could not be read. */
export type LabelsReading = { id: string; labels: string[] } | { id: string; error: MailboxError };

/** How old the kept labels may be for a few messages to be changed by them, in milliseconds: 5 minutes. */
const MAX_LABELS_AGE_MS = 5 * 60 * 1_000;

const readLabelsOf = async (session: GmailSession, id: string): Promise<LabelsReading> => {
  try {
    return { id, labels: (await session.send(toMessageLabelsRequest(id))).labelIds ?? [] };
  } catch (error) {
    if (error instanceof MailboxError) return { id, error };
    throw error;
  }
};

/** Reads the labels of each message; a fault of one message stands in its own reading. */
export const readLabels = (session: GmailSession, ids: readonly string[]): Promise<LabelsReading[]> =>
  Promise.all(ids.map((id) => readLabelsOf(session, id)));

/** The labels that are kept of messages, as they are now; without a store, only where the history stands. */
const readPresent = async (
  session: GmailSession,
  keeping: Keeping | undefined,
  ids: readonly string[],
): Promise<CaughtUp<KeptLabels>> => {
  const snapshot = await keeping?.store.readLabels(ids);
  if (keeping !== undefined && snapshot !== undefined) {
    const readAgain = () => keeping.store.readLabels(ids);
    return await catchUp(session, keeping, snapshot, readAgain, snapshot.historyId);
  }
  const historyId = await readHistoryId(session);
  await keeping?.store.begin(historyId);
  return { historyId, kept: new Map(), records: new Map(), since: historyId, isRestarted: false };
};

const isAhead = ({ historyId, notedAt }: KeptLabels, readUntil: bigint): boolean =>
  toLater(notedAt, historyId) > readUntil;

const toBaseline = (
  historyId: bigint,
  kept: Map<string, KeptLabels>,
  noMail: ReadonlySet<string> = new Set(),
): LabelsBaseline => ({
  historyId: String(historyId),
  noMail: noMail.union(
    new Set([...kept.values()].filter(({ labels }) => !isMail(labels)).map(({ id }) => id)),
  ),
  labels: new Map([...kept].map(([id, { labels }]) => [id, labels])),
  ahead: new Set([...kept.values()].filter((one) => isAhead(one, historyId)).map(({ id }) => id)),
});

/**
 * Whether the labels of a message are kept, and the history as it was read has everything in them. Labels that came
 * with the response to a change are ahead of it: a second change would find the first one in the history and take it
 * for its own.
 */
const isInStep = ({ kept, historyId }: Snapshot<KeptLabels>, id: string): boolean => {
  const labels = kept.get(id);
  return labels !== undefined && !isAhead(labels, historyId);
};

/**
 * Where the history stands before messages are changed, and their labels as far as they are known. For a few messages
 * the labels last seen will do, where that was a moment ago and no change of ours came after it: the answer to the
 * change itself tells when they were not true any more.
 *
 * @throws {MailboxError} when the history can't be read
 */
export const readBaseline = async (
  session: GmailSession,
  keeping: Keeping | undefined,
  ids: readonly string[],
): Promise<LabelsBaseline> => {
  if (ids.length <= MAX_SINGLE_CHANGES) {
    const snapshot = await keeping?.store.readLabels(ids);
    const isFresh = snapshot !== undefined && snapshot.syncedMsAgo < MAX_LABELS_AGE_MS;
    if (isFresh && ids.every((id) => isInStep(snapshot, id))) {
      return toBaseline(snapshot.historyId, snapshot.kept);
    }
  }
  const { historyId, kept } = await readPresent(session, keeping, ids);
  const noMail = await findNoMail(
    session,
    ids.filter((id) => !kept.has(id)),
  );
  return toBaseline(historyId, kept, noMail);
};

const NOT_FOUND = 'The message was deleted';

const toEarlier = (one: bigint | undefined, other: bigint): bigint =>
  one === undefined || other < one ? other : one;

/** The standing of a change by what happened to its message since. */
const standingByRecords = (
  { id, added, removed, historyId }: MadeLabelChange,
  records: Map<string, LabelRecord[]>,
): ChangeStanding => {
  const then = { historyId: BigInt(historyId ?? 0), labels: added };
  const now = applyRecords(then, records.get(id) ?? []);
  if (now === undefined) return { id, error: new MailboxError('not_found', NOT_FOUND) };
  return { id, isInEffect: isInEffect(now.labels, { added, removed }) };
};

/**
 * Whether changes made earlier still show on their messages: by the kept labels; of messages that are not kept, by
 * what the history tells since the change; where that is gone, too, by their labels, read one by one.
 *
 * @throws {MailboxError} when the history can't be read
 */
export const checkChanges = async (
  session: GmailSession,
  keeping: Keeping | undefined,
  changes: readonly MadeLabelChange[],
): Promise<{ historyId: string; standings: ChangeStanding[] }> => {
  const present = await readPresent(
    session,
    keeping,
    changes.map(({ id }) => id),
  );
  const standings = new Map<string, ChangeStanding>();
  const open: (MadeLabelChange & { at: bigint })[] = [];
  const unplaced: MadeLabelChange[] = [];
  for (const change of changes) {
    const kept = present.kept.get(change.id);
    if (kept !== undefined) {
      const { id, labels } = kept;
      const standing = { id, isInEffect: isInEffect(labels, change), labels };
      standings.set(id, { ...standing, isAhead: isAhead(kept, present.historyId) });
    } else if (change.historyId === undefined) unplaced.push(change);
    else open.push({ ...change, at: BigInt(change.historyId) });
  }

  const from = open.map(({ at }) => at).reduce<bigint | undefined>(toEarlier, undefined);
  const records = from === undefined ? undefined : await readRecordsSince(from);
  for (const change of open) {
    if (records === undefined) unplaced.push(change);
    else standings.set(change.id, standingByRecords(change, records));
  }
  const readings = await readLabels(
    session,
    unplaced.map(({ id }) => id),
  );
  for (const [index, reading] of readings.entries()) {
    const change = unplaced[index];
    if ('error' in reading) standings.set(reading.id, reading);
    else if (change !== undefined) {
      const { id, labels } = reading;
      standings.set(id, { id, isInEffect: isInEffect(labels, change), labels });
    }
  }
  return {
    historyId: String(present.historyId),
    standings: changes.flatMap(({ id }) => standings.get(id) ?? []),
  };

  async function readRecordsSince(point: bigint): Promise<Map<string, LabelRecord[]> | undefined> {
    if (present.since <= point) return present.records;
    const history = await readHistory(session, point);
    return history && groupByMessage(history.records);
  }
};
