import type { GmailSession } from '@mailsweep/mail/gmail/api';
import {
  type AppliedLabelChange,
  type ChangeStatus,
  isMail,
  isReversible,
  type LabelsBaseline,
  MailboxError,
} from '@mailsweep/mail/mailbox';
import {
  applyRecords,
  type CachedLabels,
  groupByMessage,
  type LabelRecord,
  type Snapshot,
} from '@mailsweep/mail/message-cache';
import {
  type CaughtUp,
  catchUp,
  MAX_HISTORY_PAGES,
  type MessageCache,
  readGmailHistory,
  readHistoryId,
} from '../cache/catch-up.ts';
import { findNoMail, readLabels } from '../reading/read-labels.ts';
import { MAX_SINGLE_CHANGES } from './send-changes.ts';

/** How old the cached labels may be for a few messages to be changed by them, in milliseconds: 5 minutes. */
const MAX_LABELS_AGE_MS = 5 * 60 * 1_000;

/** The cached labels of messages, as they are now; without a cache, only the current history id. */
const readPresent = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  ids: readonly string[],
  snapshot: Snapshot<CachedLabels> | undefined,
): Promise<Omit<CaughtUp<CachedLabels>, 'isRebuilt'>> => {
  if (cache !== undefined && snapshot !== undefined) {
    const readAgain = () => cache.store.readLabels(ids);
    return await catchUp(session, cache, snapshot, readAgain, snapshot.historyId);
  }
  const historyId = await readHistoryId(session);
  await cache?.store.begin(historyId);
  return { historyId, cached: new Map(), records: new Map(), since: historyId };
};

/** Whether labels have changes in them that the history does not show yet. */
const isAhead = ({ historyId, unshown }: CachedLabels, readUntil: bigint): boolean =>
  unshown.length > 0 || historyId > readUntil;

const toBaseline = (
  historyId: bigint,
  cached: Map<string, CachedLabels>,
  noMail: ReadonlySet<string> = new Set(),
): LabelsBaseline => ({
  historyId: String(historyId),
  noMail: noMail.union(
    new Set([...cached.values()].filter(({ labels }) => !isMail(labels)).map(({ id }) => id)),
  ),
  labels: new Map([...cached].map(([id, { labels }]) => [id, labels])),
  ahead: new Set([...cached.values()].filter((one) => isAhead(one, historyId)).map(({ id }) => id)),
});

/**
 * Whether the labels of a message are cached, and the history as it was read has everything in them. Otherwise a second
 * change would find the first one in the history and take it for its own.
 */
const isInStep = ({ cached, historyId }: Snapshot<CachedLabels>, id: string): boolean => {
  const labels = cached.get(id);
  return labels !== undefined && !isAhead(labels, historyId);
};

/**
 * The cached labels where none of these messages is cached, or nothing happened in the mailbox since, so that no record
 * can be late. The profile tells for 1 unit; the history costs 2.
 */
const readUnchanged = async (
  session: GmailSession,
  snapshot: Snapshot<CachedLabels> | undefined,
): Promise<Pick<Snapshot<CachedLabels>, 'historyId' | 'cached'> | undefined> => {
  if (snapshot === undefined) return undefined;
  const historyId = await readHistoryId(session);
  const isUnchanged = snapshot.cached.size === 0 || historyId === snapshot.overlapHistoryId;
  return isUnchanged ? { historyId, cached: snapshot.cached } : undefined;
};

/**
 * The current history id before messages are changed, and their labels as far as they are known. For a few messages
 * the labels last seen will do, where that was a moment ago and no change of ours came after it: the response to
 * the change itself shows when they were outdated.
 *
 * @throws {MailboxError} when the history can't be read
 */
export const readBaseline = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  ids: readonly string[],
): Promise<LabelsBaseline> => {
  const snapshot = await cache?.store.readLabels(ids);
  const isFresh = snapshot !== undefined && snapshot.syncedMsAgo < MAX_LABELS_AGE_MS;
  if (isFresh && ids.length <= MAX_SINGLE_CHANGES && ids.every((id) => isInStep(snapshot, id))) {
    return toBaseline(snapshot.historyId, snapshot.cached);
  }
  const unlisted = ids.filter((id) => snapshot?.cached.has(id) !== true);
  const { historyId, cached } =
    (unlisted.length > 0 && (await readUnchanged(session, snapshot))) ||
    (await readPresent(session, cache, ids, snapshot));
  const noMail = await findNoMail(
    session,
    ids.filter((id) => !cached.has(id)),
  );
  return toBaseline(historyId, cached, noMail);
};

type CheckedChange = AppliedLabelChange & { id: string };
type PlacedChange = CheckedChange & { at: bigint };

const NOT_FOUND = 'The message was deleted';

const toEarlier = (one: bigint | undefined, other: bigint): bigint =>
  one === undefined || other < one ? other : one;

/** The status of a change by what happened to its message since. */
const statusByRecords = (
  { id, change, at }: PlacedChange,
  records: Map<string, LabelRecord[]>,
): ChangeStatus => {
  const now = applyRecords({ historyId: at, labels: change.added }, records.get(id) ?? []);
  if (now === undefined) return { id, error: new MailboxError('not_found', NOT_FOUND) };
  return { id, isReversible: isReversible(now.labels, change) };
};

/**
 * Whether changes made earlier can be taken back from their messages: by the cached labels; of messages that are not cached, by
 * the history since the change; where that is gone, too, by their labels, read one by one.
 *
 * @throws {MailboxError} when the history can't be read
 */
export const checkChanges = async (
  session: GmailSession,
  cache: MessageCache | undefined,
  changes: readonly CheckedChange[],
): Promise<{ historyId: string; statuses: ChangeStatus[] }> => {
  const ids = changes.map(({ id }) => id);
  const present = await readPresent(session, cache, ids, await cache?.store.readLabels(ids));
  const statuses = new Map<string, ChangeStatus>();
  const open: PlacedChange[] = [];
  const unplaced: CheckedChange[] = [];
  for (const change of changes) {
    const cached = present.cached.get(change.id);
    if (cached !== undefined) {
      const { id, labels } = cached;
      const status = { id, isReversible: isReversible(labels, change.change), labels };
      statuses.set(id, { ...status, isAhead: isAhead(cached, present.historyId) });
    } else if (change.historyId === undefined) unplaced.push(change);
    else open.push({ ...change, at: BigInt(change.historyId) });
  }

  const from = open.map(({ at }) => at).reduce<bigint | undefined>(toEarlier, undefined);
  const records = from === undefined ? undefined : await readRecordsSince(from);
  for (const change of open) {
    if (records === undefined) unplaced.push(change);
    else statuses.set(change.id, statusByRecords(change, records));
  }
  const readings = await readLabels(
    session,
    unplaced.map(({ id }) => id),
  );
  for (const [index, reading] of readings.entries()) {
    const change = unplaced[index];
    if ('error' in reading) statuses.set(reading.id, reading);
    else if (change !== undefined) {
      const { id, labels } = reading;
      statuses.set(id, { id, isReversible: isReversible(labels, change.change), labels });
    }
  }
  return {
    historyId: String(present.historyId),
    statuses: changes.flatMap(({ id }) => statuses.get(id) ?? []),
  };

  async function readRecordsSince(point: bigint): Promise<Map<string, LabelRecord[]> | undefined> {
    if (present.since <= point) return present.records;
    // A page costs 2 quota units, the labels of one message 20.
    const maxPages = Math.max(MAX_HISTORY_PAGES, open.length);
    const history = await readGmailHistory(session, point, { maxPages });
    return history && groupByMessage(history.records);
  }
};
