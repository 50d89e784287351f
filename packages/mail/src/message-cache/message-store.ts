import type { LabelChange } from '@mailsweep/contracts';
import type { MessageFacts } from '@mailsweep/mail/mailbox';
import type { LabelRecord } from './label-record.ts';
import type { UnshownLabel } from './replay-records.ts';

export interface CachedLabels {
  id: string;
  /** The last change of the message when it was fetched. Every later one that the history shows is in the labels, too. */
  historyId: bigint;
  labels: string[];
  /** Changes of ours that are in the labels, though the history does not show them yet; oldest first. */
  unshown: UnshownLabel[];
}

/** A change of ours that Gmail accepted. */
export interface OwnChange extends LabelChange {
  id: string;
  /** The first history id that the change can have. */
  at: bigint;
}

/** What is cached of a message: what never changes, and its labels. */
export interface CachedMessage extends CachedLabels {
  facts: MessageFacts;
}

/** What a store knows, all of one instant. */
export interface Snapshot<Cached extends CachedLabels> {
  /** Every change of a cached message up to here is in its labels, every later one is still to come. */
  historyId: bigint;
  /** Where to read the history again from, for records that were shown late; not after `historyId`. */
  overlapHistoryId: bigint;
  /** How long ago the store was last brought to the end of the history, in milliseconds. */
  syncedMsAgo: number;
  /** Whether there may be stale messages. */
  isRebuilding: boolean;
  cached: Map<string, Cached>;
}

/** A message to keep, and the point of the history up to which no change is missing in it. */
export interface CacheableMessage {
  message: Omit<CachedMessage, 'unshown'>;
  completeUpTo: bigint;
}

/**
 * The cache of one user's mailbox between requests (docs/decisions/021). Any number of processes may use it at
 * once: no method ever makes cached labels older or loses a change. Stale messages, whose labels are not known up to the
 * cursor, count as not cached until they are saved again; overviews show them.
 */
export interface MessageStore {
  /** The cached ones of these messages; undefined as long as nothing was begun. */
  readMessages(ids: readonly string[]): Promise<Snapshot<CachedMessage> | undefined>;
  /** The cached labels of these messages; undefined as long as nothing was begun. */
  readLabels(ids: readonly string[]): Promise<Snapshot<CachedLabels> | undefined>;
  /** Begins at a point of the history, unless another process has begun already. */
  begin(historyId: bigint): Promise<void>;
  /**
   * Keeps messages, but for those in which a change may be missing that the store has passed already.
   *
   * @returns whether it has passed none of them
   */
  save(messages: readonly CacheableMessage[]): Promise<boolean>;
  /** Notes changes of ours in cached labels, until the history shows them or has had time enough to. */
  noteChanges(changes: readonly OwnChange[]): Promise<void>;
  /**
   * Moves the cursor to `to`, unless it is before `from` or after `to`; `records` are all changes between the two
   * that the history shows. Where it is at `to` already, records that were shown late are applied.
   */
  advance(from: bigint, to: bigint, records: readonly LabelRecord[]): Promise<void>;
  /**
   * Begins a rebuild, or goes on with one, at a point of the history between which and the cursor nothing is known: all
   * cached messages are stale. Does nothing where the cursor has left `from`.
   *
   * @returns whether it has begun one
   */
  rebuild(from: bigint, historyId: bigint): Promise<boolean>;
  listStale(): Promise<string[]>;
  /**
   * Gives stale messages their labels as they were at a point of the history or after it, and deletes those that were gone,
   * for which there are none. Does nothing where the cursor has passed that point.
   *
   * @param isOver - whether that ends the rebuild
   */
  refresh(
    historyId: bigint,
    labels: ReadonlyMap<string, Iterable<string> | undefined>,
    isOver: boolean,
  ): Promise<void>;
  forget(ids: readonly string[]): Promise<void>;
}
