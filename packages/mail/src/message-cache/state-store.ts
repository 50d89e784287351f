import type { MessageToCache } from './message-cache.repository.ts';

/** What became of cached messages from one state of a mailbox to the next. */
export interface StateChanges {
  /**
   * All labels of those that changed, by message id, as they are at the later state or after it; labels of categories are
   * left out, and stay as they are.
   */
  labels: ReadonlyMap<string, readonly string[]>;
  /** Those that are gone. */
  gone: readonly string[];
}

/**
 * The cache of a mailbox whose provider tells states, opaque and without an order (JMAP). All cached labels are as
 * they were at one state, or newer. Any number of processes may use it at once: each method takes the state at which the caller
 * believes the store to be, and does nothing where it has left that.
 */
export interface StateStore {
  /** The state of the store, and how long ago it was confirmed, in milliseconds; undefined as long as nothing was begun. */
  readState(): Promise<{ state: string; confirmedMsAgo: number } | undefined>;
  /** Begins at a state, unless another process has begun already. */
  begin(state: string): Promise<void>;
  /** The ids of cached messages; of these alone, where they are named. */
  listCachedIds(ids?: readonly string[]): Promise<string[]>;
  /**
   * Keeps messages as they were at a state.
   *
   * @returns whether the store was at it
   */
  save(state: string, messages: readonly MessageToCache[]): Promise<boolean>;
  /**
   * Moves from one state to the next, which may be the same.
   *
   * @returns whether the store was at `from`
   */
  advance(from: string, to: string, changes: StateChanges): Promise<boolean>;
}

export type OpenStateStore = (userId: string) => StateStore;
