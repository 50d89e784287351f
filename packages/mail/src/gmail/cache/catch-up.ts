import {
  type GmailHttp,
  type GmailSession,
  toLabelListRequest,
  toMailboxSizeRequest,
  toMessageListRequest,
} from '@mailsweep/mail/gmail/api';
import { MailboxError } from '@mailsweep/mail/mailbox';
import {
  type CachedLabels,
  groupByMessage,
  type LabelRecord,
  type MessageStore,
  replayRecords,
  type Snapshot,
} from '@mailsweep/mail/message-cache';
import { type GmailHistory, readGmailHistory, readHistoryId } from './gmail-history.ts';

/** That nothing happened is noted only when the last note is as old as this, in milliseconds. */
const NOTE_AFTER_MS = 30_000;

const LIST_PAGE_SIZE = 500;
/** What a page of a list and a message cost, in quota units. */
const [LIST_UNITS, MESSAGE_UNITS] = [5, 20];
/** How many labels a message has on average, as far as pages are estimated. */
const LABELS_PER_MESSAGE = 5;
/** What reading labels again may cost in any case, also while a user waits: that is for 20,000 to 30,000 emails. */
const MAX_REFRESH_UNITS = 1_500;

export interface MessageCache {
  store: MessageStore;
  isAwaited: boolean;
  /** Does work beside that of a call, so that its errors are none of the call. */
  withSession: GmailHttp['withSession'];
  onRebuild: () => void;
  /** Has the store note what happened in the mailbox; when it can't, it learns of that from the history later. */
  attempt(note: (store: MessageStore) => Promise<void>): Promise<void>;
}

/** The history since a point at which the store stood; undefined where the provider no longer knows that. */
export interface PrefetchedHistory {
  since: bigint;
  history: GmailHistory | undefined;
}

/** A snapshot brought to the end of the history. */
export interface CaughtUp<Cached extends CachedLabels> {
  historyId: bigint;
  cached: Map<string, Cached>;
  /** What happened since `since`, by message, oldest first. */
  records: Map<string, LabelRecord[]>;
  since: bigint;
  /** The provider no longer had the history: what the snapshot had cached may be stale now. */
  isRebuilt: boolean;
}

/**
 * Brings a snapshot to the end of the history, and the store with it. Where the provider no longer has the history
 * in between, the cache is rebuilt: labels are read again, by lists now or else with the messages as they are asked for.
 *
 * @param read - takes the snapshot again
 * @param since - from where the history is read: the cursor of the snapshot, or its `overlapHistoryId`
 * @param ahead - the history, where it was read already
 * @throws {MailboxError} when the history can't be read
 */
export const catchUp = async <Cached extends CachedLabels>(
  session: GmailSession,
  cache: MessageCache,
  snapshot: Snapshot<Cached>,
  read: () => Promise<Snapshot<Cached> | undefined>,
  since: bigint,
  ahead?: PrefetchedHistory | undefined,
): Promise<CaughtUp<Cached>> => {
  const { store } = cache;
  // The history since any other point has too little, or what is in the store already.
  const history = ahead?.since === since ? ahead.history : await readGmailHistory(session, since);
  if (history === undefined) {
    const present = await readHistoryId(session);
    const isBehind = present !== snapshot.historyId;
    if (isBehind && (await store.rebuild(snapshot.historyId, present))) cache.onRebuild();
    if (isBehind || snapshot.isRebuilding) await refreshStale(cache);
    const { historyId, cached } = (isBehind ? await read() : snapshot) ?? {
      historyId: present,
      cached: new Map(),
    };
    return { historyId, cached, records: new Map(), since: historyId, isRebuilt: isBehind };
  }
  const { historyId } = history;
  const isNews =
    history.records.length > 0 || historyId > snapshot.historyId || snapshot.syncedMsAgo > NOTE_AFTER_MS;
  if (isNews) await store.advance(since, historyId, history.records);
  if (snapshot.isRebuilding) await refreshStale(cache);
  const records = groupByMessage(history.records);
  return {
    historyId,
    // Where another process was faster, the snapshot has more than this history.
    cached: historyId < snapshot.historyId ? snapshot.cached : replay(snapshot.cached, records),
    records,
    since,
    isRebuilt: false,
  };
};

const replay = <Cached extends CachedLabels>(
  cached: Map<string, Cached>,
  records: Map<string, LabelRecord[]>,
): Map<string, Cached> => {
  const present = [...cached.values()].flatMap(
    (message) => replayRecords(message, records.get(message.id) ?? []) ?? [],
  );
  return new Map(present.map((message) => [message.id, message]));
};

/** Reads a whole list, spam and trash included. */
const listIds = async (session: GmailSession, filter: object, onId: (id: string) => void): Promise<void> => {
  const filters = new URLSearchParams({ ...filter, includeSpamTrash: 'true' });
  let pageToken: string | undefined;
  do {
    const page = { maxResults: LIST_PAGE_SIZE, pageToken };
    const list = await session.send(toMessageListRequest(filters, page));
    for (const { id } of list.messages ?? []) onId(id);
    pageToken = list.nextPageToken || undefined;
  } while (pageToken !== undefined);
};

/**
 * Reads the labels of messages by a list of each label, which takes fewer units than the messages.
 *
 * @returns the labels by id, undefined for what is gone; undefined where that costs too much
 */
const listLabels = async (session: GmailSession, ids: readonly string[], isAwaited: boolean) => {
  const [{ messagesTotal }, { labels }] = await Promise.all([
    session.send(toMailboxSizeRequest()),
    session.send(toLabelListRequest()),
  ]);
  const pages = (labels?.length ?? 0) + (messagesTotal * LABELS_PER_MESSAGE) / LIST_PAGE_SIZE;
  const limit = Math.max(MAX_REFRESH_UNITS, isAwaited ? 0 : ids.length * MESSAGE_UNITS);
  if (!labels || pages * LIST_UNITS > limit) return undefined;
  const found = new Map(ids.map((id) => [id, new Set<string>()]));
  const listed = new Set<string>();
  await Promise.all([
    listIds(session, {}, (id) => listed.add(id)),
    ...labels.map(({ id: label }) =>
      listIds(session, { labelIds: label }, (id) => found.get(id)?.add(label)),
    ),
  ]);
  // A list that lacks messages proves nothing of them.
  const known = listed.size < messagesTotal ? ids.filter((id) => listed.has(id)) : ids;
  return new Map(known.map((id) => [id, listed.has(id) ? found.get(id) : undefined]));
};

/** Reads the labels of all stale messages. What keeps it from that is left to a later call. */
const refreshStale = async ({ store, isAwaited, withSession }: MessageCache): Promise<void> => {
  try {
    await withSession(async (session) => {
      const at = await readHistoryId(session);
      const stale = await store.listStale();
      const present = stale.length > 0 ? await listLabels(session, stale, isAwaited) : new Map();
      if (present === undefined) return;
      const since = await readGmailHistory(session, at);
      // What leaves a list while its pages are read moves others to pages that were read before.
      const hasMoved = since
        ? since.records.some(({ removed, isDeleted }) => isDeleted || removed.length > 0)
        : (await readHistoryId(session)) !== at;
      if (!hasMoved) await store.refresh(at, present, since !== undefined);
    });
  } catch (error) {
    if (!(error instanceof MailboxError)) throw error;
  }
};
