import {
  type GmailHttp,
  GmailRefusal,
  type GmailSession,
  type HistoryPage,
  toHistoryRequest,
  toLabelListRequest,
  toMailboxSizeRequest,
  toMessageListRequest,
  toProfileRequest,
} from '@mailsweep/mail/gmail/api';
import { type MailboxChanges, MailboxError, SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import {
  type CachedLabels,
  groupByMessage,
  type LabelRecord,
  type MessageStore,
  replayRecords,
  type Snapshot,
  toLater,
} from '@mailsweep/mail/message-cache';

/** Most pages of history that are read by default; so many records cost more than a fresh start. */
export const MAX_HISTORY_PAGES = 40;

/** A message that was added to the mailbox, as the Gmail history has it. */
interface AddedMessage {
  messageId: string;
  threadId: string | null;
  labels: string[];
}

/** All changes after a point of the history, oldest first. */
export interface GmailHistory {
  records: LabelRecord[];
  /** Only where it was asked for. */
  added: AddedMessage[];
  /** Where the history stood: no change up to here is missing. */
  historyId: bigint;
}

/** Gmail no longer knows the point: 404, and nothing else, says so (users.history.list). */
const isTooOld = (error: unknown): boolean => error instanceof MailboxError && error.code === 'not_found';

const toRecords = (page: HistoryPage): LabelRecord[] =>
  (page.history ?? []).flatMap((entry) => {
    const changes = new Map<string, LabelRecord>();
    const changeOf = (messageId: string): LabelRecord => {
      const change = changes.get(messageId) ?? {
        messageId,
        historyId: entry.id,
        added: [],
        removed: [],
        isDeleted: false,
      };
      changes.set(messageId, change);
      return change;
    };
    for (const { message, labelIds } of entry.labelsAdded ?? []) {
      changeOf(message.id).added.push(...(labelIds ?? []));
    }
    for (const { message, labelIds } of entry.labelsRemoved ?? []) {
      changeOf(message.id).removed.push(...(labelIds ?? []));
    }
    for (const { message } of entry.messagesDeleted ?? []) changeOf(message.id).isDeleted = true;
    return [...changes.values()];
  });

const toAddedMessages = (page: HistoryPage): AddedMessage[] =>
  (page.history ?? [])
    .flatMap((entry) => entry.messagesAdded ?? [])
    .map(({ message }) => ({
      messageId: message.id,
      threadId: message.threadId ?? null,
      labels: message.labelIds ?? [],
    }));

/**
 * Reads what changed after a point of the history.
 *
 * @param options.withAdded - also the messages that were added
 * @param options.maxPages - most pages that are read; of more nothing is returned
 * @returns undefined when the provider no longer knows the point, or more changed than is worth reading
 * @throws {MailboxError} when the history can't be read
 */
export const readGmailHistory = async (
  session: GmailSession,
  startHistoryId: bigint,
  options: { withAdded?: boolean; maxPages?: number } = {},
): Promise<GmailHistory | undefined> => {
  const records: LabelRecord[] = [];
  const added: AddedMessage[] = [];
  let historyId: bigint | undefined;
  let pageToken: string | undefined;
  for (let pages = 0; pages < (options.maxPages ?? MAX_HISTORY_PAGES); pages += 1) {
    let page: HistoryPage;
    try {
      page = await session.send(toHistoryRequest(startHistoryId, pageToken, options));
    } catch (error) {
      if (isTooOld(error)) return undefined;
      // Nothing the caller asked for was refused: the request holds only an id that Gmail gave.
      if (error instanceof GmailRefusal) {
        throw new MailboxError('mailbox_unavailable', error.message, { cause: error });
      }
      throw error;
    }
    // Of the first page: what happens while the others are read may miss them, and is read again the next time.
    historyId ??= toLater(page.historyId, startHistoryId);
    records.push(...toRecords(page));
    added.push(...toAddedMessages(page));
    pageToken = page.nextPageToken || undefined;
    if (pageToken === undefined) return { records, added, historyId };
  }
  return undefined;
};

/** Where the history of the mailbox stands now. */
export const readHistoryId = async (session: GmailSession): Promise<bigint> =>
  (await session.send(toProfileRequest())).historyId;

/**
 * Reads what happened in a mailbox since a point of its history: 2 quota units for every 500 records.
 *
 * @returns undefined when the provider no longer knows the point, or more changed than is worth reading
 * @throws {MailboxError} when the history can't be read
 */
export const readChangesSince = async (
  session: GmailSession,
  historyId: string,
): Promise<MailboxChanges | undefined> => {
  const history = await readGmailHistory(session, BigInt(historyId), { withAdded: true });
  if (history === undefined) return undefined;
  const byMessage = Map.groupBy(history.records, ({ messageId }) => messageId);
  const messages = [...byMessage].map(([id, records]) => {
    const added = new Set(records.flatMap((record) => record.added));
    const removed = new Set(records.flatMap((record) => record.removed));
    return [id, { added, removed, isDeleted: records.some(({ isDeleted }) => isDeleted) }] as const;
  });
  const sent = history.added.filter(({ labels }) => labels.includes(SYSTEM_LABELS.sent));
  return {
    historyId: String(history.historyId),
    isLate: true,
    messages: new Map(messages),
    answeredThreads: new Set(sent.flatMap(({ threadId }) => threadId ?? [])),
    arrivedIds: [...new Set(history.added.filter(hasArrived).map(({ messageId }) => messageId))],
  };
};

/** Gmail may leave the labels out; then the message itself has to tell. */
const hasArrived = ({ labels }: AddedMessage): boolean =>
  labels.length === 0 || (labels.includes(SYSTEM_LABELS.inbox) && !labels.includes(SYSTEM_LABELS.sent));

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
