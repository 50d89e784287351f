import type { GmailSession } from '@mailsweep/gmail';
import {
  groupByMessage,
  type History,
  type LabelRecord,
  readHistory,
  readHistoryId,
  replayRecords,
} from './gmail-history.ts';
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

/** The history since a point at which the store stood; undefined where the provider no longer knows that. */
export interface HistoryAhead {
  since: bigint;
  history: History | undefined;
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
 * @param since - from where the history is read: where the snapshot stands, or its `overlapHistoryId`
 * @param ahead - the history, where it was read already
 * @throws {MailboxError} when the history can't be read
 */
export const catchUp = async <Kept extends KeptLabels>(
  session: GmailSession,
  { store, onResync }: Keeping,
  snapshot: Snapshot<Kept>,
  read: () => Promise<Snapshot<Kept> | undefined>,
  since: bigint,
  ahead?: HistoryAhead | undefined,
): Promise<CaughtUp<Kept>> => {
  // The history since any other point tells too little, or of what is in the store already.
  const history = ahead?.since === since ? ahead.history : await readHistory(session, since);
  if (history === undefined) {
    const present = await readHistoryId(session);
    if (await store.restart(snapshot.historyId, present)) onResync();
    const { historyId, kept } = (await read()) ?? { historyId: present, kept: new Map() };
    return { historyId, kept, records: new Map(), since: historyId, isRestarted: true };
  }
  const { historyId } = history;
  const isNews =
    history.records.length > 0 || historyId > snapshot.historyId || snapshot.syncedMsAgo > NOTE_AFTER_MS;
  if (isNews) await store.advance(since, historyId, history.records);
  const records = groupByMessage(history.records);
  const kept = [...snapshot.kept.values()].flatMap(
    (message) => replayRecords(message, records.get(message.id) ?? []) ?? [],
  );
  return {
    historyId,
    kept: new Map(kept.map((message) => [message.id, message])),
    records,
    since,
    isRestarted: false,
  };
};
