import type { GmailSession } from '@mailsweep/gmail';
import {
  type CachedLabels,
  groupByMessage,
  type LabelRecord,
  type MessageStore,
  replayRecords,
  type Snapshot,
} from '@mailsweep/message-cache';
import { type GmailHistory, readGmailHistory, readHistoryId } from './gmail-history.ts';

/** That nothing happened is noted only when the last note is as old as this, in milliseconds. */
const NOTE_AFTER_MS = 30_000;

/** The cache of one mailbox. */
export interface MessageCache {
  store: MessageStore;
  /** Called when the cache was rebuilt. */
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
  /** The provider no longer had the history, and the cache was rebuilt. */
  isRebuilt: boolean;
}

/**
 * Brings a snapshot to the end of the history, and the store with it. Where the provider no longer has the history
 * in between, the cache is rebuilt and nothing from before is trusted: messages are fetched again as they are asked for.
 *
 * @param read - takes the snapshot again
 * @param since - from where the history is read: the cursor of the snapshot, or its `overlapHistoryId`
 * @param ahead - the history, where it was read already
 * @throws {MailboxError} when the history can't be read
 */
export const catchUp = async <Cached extends CachedLabels>(
  session: GmailSession,
  { store, onRebuild }: MessageCache,
  snapshot: Snapshot<Cached>,
  read: () => Promise<Snapshot<Cached> | undefined>,
  since: bigint,
  ahead?: PrefetchedHistory | undefined,
): Promise<CaughtUp<Cached>> => {
  // The history since any other point has too little, or what is in the store already.
  const history = ahead?.since === since ? ahead.history : await readGmailHistory(session, since);
  if (history === undefined) {
    const present = await readHistoryId(session);
    if (await store.rebuild(snapshot.historyId, present)) onRebuild();
    const { historyId, cached } = (await read()) ?? { historyId: present, cached: new Map() };
    return { historyId, cached, records: new Map(), since: historyId, isRebuilt: true };
  }
  const { historyId } = history;
  const isNews =
    history.records.length > 0 || historyId > snapshot.historyId || snapshot.syncedMsAgo > NOTE_AFTER_MS;
  if (isNews) await store.advance(since, historyId, history.records);
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
