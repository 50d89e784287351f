import type { MessageFacts } from '@mailsweep/gmail';
import type { LabelRecord } from './gmail-history.ts';

/** The labels of a message, true up to the change with this history id. */
export interface CachedLabels {
  id: string;
  historyId: bigint;
  labels: string[];
  /**
   * Set while the labels hold a change of ours that the history does not show yet: the first history id that the change
   * can have. Late records after `historyId` are still to be applied.
   */
  notedAt?: bigint | undefined;
}

/** The labels of a message after a change. */
export interface NotedLabels {
  id: string;
  labels: string[];
  /** Of the change, where the response has it: the labels are complete up to there. */
  historyId?: bigint | undefined;
  /** The first history id that the change can have. */
  notedAt: bigint;
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
  cached: Map<string, Cached>;
}

/** A message to keep, and the point of the history up to which no change is missing in it. */
export interface CacheableMessage {
  message: CachedMessage;
  completeUpTo: bigint;
}

/**
 * The cache of one user's mailbox between requests (docs/decisions/021). Any number of processes may use it at
 * once: no method ever makes cached labels older or loses a change.
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
   * @param mode - `replace` also where the cached labels claim to be newer: they were found to be wrong
   * @returns whether it has passed none of them
   */
  save(messages: readonly CacheableMessage[], mode?: 'replace'): Promise<boolean>;
  /** Notes labels after a change, unless the cached ones are newer by what the history showed. */
  saveLabels(labels: readonly NotedLabels[]): Promise<void>;
  /**
   * Moves the cursor to `to`, unless it is before `from` or after `to`; `records` are all changes between the two
   * that the history shows. Where it is at `to` already, records that were shown late are applied.
   */
  advance(from: bigint, to: bigint, records: readonly LabelRecord[]): Promise<void>;
  /**
   * Rebuilds the cache from a point of the history, and drops what was cached before, unless the cursor has left `from`.
   *
   * @returns whether it did
   */
  rebuild(from: bigint, historyId: bigint): Promise<boolean>;
}
