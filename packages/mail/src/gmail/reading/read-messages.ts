import { type GmailSession, toMessageFacts, toMessageRequest } from '@mailsweep/mail/gmail/api';
import { MailboxError, type MessageFacts, type ReadEmail, toEmail } from '@mailsweep/mail/mailbox';
import {
  applyRecords,
  type CacheableMessage,
  type CachedMessage,
  type MessageStore,
  type Snapshot,
} from '@mailsweep/mail/message-cache';
import {
  type CaughtUp,
  catchUp,
  type MessageCache,
  type PrefetchedHistory,
  readGmailHistory,
  readHistoryId,
} from '../cache/catch-up.ts';

interface FetchedMessage {
  id: string;
  /** The last change of it; undefined where the provider does not say. */
  historyId: bigint | undefined;
  labels: string[];
  facts: MessageFacts;
}

const fetchMessage = async (session: GmailSession, id: string): Promise<FetchedMessage | undefined> => {
  try {
    const message = await session.send(toMessageRequest(id));
    return {
      id,
      historyId: message.historyId ?? undefined,
      labels: message.labelIds ?? [],
      facts: toMessageFacts(message),
    };
  } catch (error) {
    // Deleted for good since it was listed: it belongs on no page.
    if (error instanceof MailboxError && error.code === 'not_found') return undefined;
    throw error;
  }
};

/**
 * Fetches messages; those that have vanished are left out.
 *
 * @throws {MailboxError} when the provider fails at any point
 */
const fetchMessages = async (session: GmailSession, ids: readonly string[]): Promise<FetchedMessage[]> => {
  const messages = await Promise.all(ids.map((id) => fetchMessage(session, id)));
  return messages.filter((message) => message !== undefined);
};

/**
 * How old mail may be for its history id to serve as a beginning, in milliseconds: 2 days. Gmail keeps history for
 * about a week (Gmail API guide, "Synchronize clients"), and an id as old as the mail may be past that.
 */
const RECENT_MS = 2 * 24 * 60 * 60 * 1_000;

/** Reads messages for one call of the port. */
export interface MessageReader {
  /** Asks for the history of the cache while it is not yet known which messages will be read. */
  readAhead(): void;
  /**
   * Reads cached messages with the labels of the first read within the call, the others from the provider. Those that
   * are gone are left out.
   *
   * @throws {MailboxError} when the provider fails at any point but a vanished message
   */
  read(ids: readonly string[]): Promise<ReadEmail[]>;
  /** Reads messages with the labels that they have now, whatever was read within the call before. */
  readAgain(ids: readonly string[]): Promise<ReadEmail[]>;
  /** Fetches cached messages from the provider, and replaces what is cached of them. */
  refetch(ids: readonly string[]): Promise<ReadEmail[]>;
}

/** Messages with a history id, true as they were fetched once the history stood at `fetchedAt`, or by themselves. */
const toCacheableMessages = (fetched: readonly FetchedMessage[], fetchedAt: bigint): CacheableMessage[] =>
  fetched.flatMap((message) => {
    const { historyId } = message;
    if (historyId === undefined) return [];
    return {
      message: { ...message, historyId },
      completeUpTo: historyId > fetchedAt ? historyId : fetchedAt,
    };
  });

/** Messages that were fetched while the history was read, with all its records of them. */
const toCompleteMessages = (
  fetched: readonly FetchedMessage[],
  { historyId, records, isRebuilt }: CaughtUp<CachedMessage>,
): CacheableMessage[] =>
  toCacheableMessages(fetched, isRebuilt ? 0n : historyId).flatMap(({ message, completeUpTo }) => {
    const present = applyRecords(message, records.get(message.id) ?? []);
    return present === undefined ? [] : { message: present, completeUpTo };
  });

const save = async (store: MessageStore, messages: readonly CacheableMessage[]): Promise<boolean> =>
  messages.length === 0 || (await store.save(messages));

/**
 * Creates the reader of one call.
 *
 * @param cache - undefined fetches every message
 */
export const createMessageReader = (
  session: GmailSession,
  cache: MessageCache | undefined,
  nowMs: () => number,
): MessageReader => {
  /** The store was brought up to date within this call. */
  let isUpToDate = false;
  /** Reading has begun: whatever it needs of the history it asks for itself. */
  let isReading = false;
  let ahead: Promise<PrefetchedHistory | undefined> | undefined;

  const readHistoryAhead = async (store: MessageStore): Promise<PrefetchedHistory | undefined> => {
    const since = (await store.readLabels([]))?.overlapHistoryId;
    return since === undefined || isReading
      ? undefined
      : { since, history: await readGmailHistory(session, since) };
  };

  /**
   * The first messages ever. The newest is fetched alone and its history id is where the store begins: all others are
   * fetched later, so whatever happens to them from then on has a higher id.
   */
  const readFirst = async (
    { store }: MessageCache,
    [newestId = '', ...otherIds]: readonly string[],
  ): Promise<FetchedMessage[]> => {
    const [newest] = await fetchMessages(session, [newestId]);
    const isRecent = newest !== undefined && newest.facts.receivedAt.getTime() > nowMs() - RECENT_MS;
    await store.begin((isRecent ? newest.historyId : undefined) ?? (await readHistoryId(session)));
    isUpToDate = true;
    // Somebody else may have begun meanwhile, elsewhere.
    const begun = await store.readLabels([]);
    const others = await fetchMessages(session, otherIds);
    const first = newest === undefined ? [] : [newest];
    if (begun !== undefined) {
      await save(store, [...toCacheableMessages(first, 0n), ...toCacheableMessages(others, begun.historyId)]);
    }
    return [...first, ...others];
  };

  const bringUpToDate = async (
    used: MessageCache,
    snapshot: Snapshot<CachedMessage>,
    ids: readonly string[],
  ): Promise<CaughtUp<CachedMessage>> => {
    if (isUpToDate || snapshot.cached.size === 0) {
      const { historyId, cached } = snapshot;
      return { historyId, cached, records: new Map(), since: historyId, isRebuilt: false };
    }
    const readMessages = () => used.store.readMessages(ids);
    const { overlapHistoryId } = snapshot;
    const caughtUp = await catchUp(session, used, snapshot, readMessages, overlapHistoryId, await ahead);
    isUpToDate = true;
    return caughtUp;
  };

  const readCached = async (used: MessageCache, ids: readonly string[]) => {
    const snapshot = await used.store.readMessages(ids);
    if (snapshot === undefined) return await readFirst(used, ids);
    const missing = ids.filter((id) => !snapshot.cached.has(id));
    const [caughtUp, fetched] = await Promise.all([
      bringUpToDate(used, snapshot, ids),
      fetchMessages(session, missing),
    ]);
    const gone = new Set(missing).difference(new Set(fetched.map(({ id }) => id)));
    if (gone.size > 0) await used.store.forget([...gone]);
    const untrusted = caughtUp.isRebuilt
      ? ids.filter((id) => snapshot.cached.has(id) && !caughtUp.cached.has(id))
      : [];
    const fetchedAgain = await fetchMessages(session, untrusted);
    const toKeep = [
      ...toCompleteMessages(fetched, caughtUp),
      ...toCacheableMessages(fetchedAgain, caughtUp.historyId),
    ];
    const isSaved = await save(used.store, toKeep);
    if (!isSaved && !caughtUp.isRebuilt) {
      // Others took the store further while this one fetched; with what happened until then it can be saved after all.
      const readMessages = () => used.store.readMessages(ids);
      const later = await catchUp(session, used, snapshot, readMessages, snapshot.overlapHistoryId);
      await save(used.store, toCompleteMessages(fetched, later));
    }
    return [...caughtUp.cached.values(), ...fetched, ...fetchedAgain];
  };

  const read = async (ids: readonly string[]): Promise<ReadEmail[]> => {
    if (ids.length === 0) return [];
    isReading = true;
    const messages = cache ? await readCached(cache, ids) : await fetchMessages(session, ids);
    const byId = new Map(messages.map((message) => [message.id, message]));
    return ids.flatMap((id) => {
      const message = byId.get(id);
      return message === undefined ? [] : toEmail(id, message.facts, message.labels);
    });
  };

  return {
    readAhead() {
      ahead = cache && readHistoryAhead(cache.store);
      // It is not awaited where nothing that is read was cached.
      ahead?.catch(() => undefined);
    },
    read,
    async refetch(ids) {
      const snapshot = await cache?.store.readLabels([]);
      const fetched = await fetchMessages(session, ids);
      const messages = toCacheableMessages(fetched, snapshot?.historyId ?? 0n);
      if (messages.length > 0) await cache?.store.save(messages);
      return fetched.map(({ id, facts, labels }) => toEmail(id, facts, labels));
    },
    async readAgain(ids) {
      ahead = undefined;
      isUpToDate = false;
      return await read(ids);
    },
  };
};
