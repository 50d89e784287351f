import {
  applyRecords,
  groupByMessage,
  type LabelRecord,
  readHistory,
  readHistoryId,
} from './gmail-history.ts';
import type { GmailSession } from './gmail-http.ts';
import type { KeptLabels, MessageStore, Snapshot } from './message-store.ts';

/** That nothing happened is noted only when the last note is as old as this, in milliseconds. */
const NOTE_AFTER_MS = 30_000;

/** Where messages are kept. */
export interface Keeping {
  store: MessageStore;
  /** Told when the store had to begin anew. */
  onResync: () => void;
  /** Has the store note what happened in the mailbox; when it can't, it learns of that from the history later. */
  attempt(note: (store: MessageStore) => Promise<void>): Promise<void>;
}

/** A snapshot brought to the end of the history. */
export interface CaughtUp<Kept extends KeptLabels> {
  historyId: bigint;
  kept: Map<string, Kept>;
  /** What happened since `since`, by message, oldest first. */
  records: Map<string, LabelRecord[]>;
  since: bigint;
  /** The provider had forgotten what happened, and the store begins anew. */
  isRestarted: boolean;
}

/**
 * Brings what is kept to the end of the history, and the store with it. Where the provider has forgotten the history
 * in between, the store begins anew and trusts nothing from before: messages are fetched again as they are asked for.
 *
 * @param read - takes the snapshot again
 * @throws {MailboxError} when the history can't be read
 */
export const catchUp = async <Kept extends KeptLabels>(
  session: GmailSession,
  { store, onResync }: Keeping,
  snapshot: Snapshot<Kept>,
  read: () => Promise<Snapshot<Kept> | undefined>,
): Promise<CaughtUp<Kept>> => {
  const since = snapshot.historyId;
  const history = await readHistory(session, since);
  if (history === undefined) {
    const present = await readHistoryId(session);
    if (await store.restart(since, present)) onResync();
    const { historyId, kept } = (await read()) ?? { historyId: present, kept: new Map() };
    return { historyId, kept, records: new Map(), since: historyId, isRestarted: true };
  }
  const { historyId } = history;
  const isNews = history.records.length > 0 || historyId > since || snapshot.syncedMsAgo > NOTE_AFTER_MS;
  if (isNews) await store.advance(since, historyId, history.records);
  const records = groupByMessage(history.records);
  const kept = [...snapshot.kept.values()].flatMap(
    (message) => applyRecords(message, records.get(message.id) ?? []) ?? [],
  );
  return {
    historyId,
    kept: new Map(kept.map((message) => [message.id, message])),
    records,
    since,
    isRestarted: false,
  };
};
