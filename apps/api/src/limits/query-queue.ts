import pLimit, { type LimitFunction } from 'p-limit';
import { overloaded } from './shed-load.ts';

/** Runs queries that go through a user's whole mailbox. */
export interface QueryQueue {
  /**
   * Runs a query when its turn comes.
   *
   * @throws ProblemError 503 when queries of too many users wait
   */
  run<T>(userId: string, query: () => Promise<T>): Promise<T>;
}

/**
 * A queue that keeps expensive queries from taking the connections and the processors that all other requests need. It
 * runs one query of a user at a time, and users take turns, so many queries of one user delay only that user. How many
 * of them wait is bounded by the limit on a user's requests in flight.
 *
 * @param options.concurrency - most queries running in this process
 * @param options.maxUsers - most users with queries, running or waiting
 * @param options.onFull - called when a query is refused
 */
export const createQueryQueue = (options: {
  concurrency: number;
  maxUsers: number;
  onFull: () => void;
}): QueryQueue => {
  const inTurn = pLimit(options.concurrency);
  const users = new Map<string, LimitFunction>();

  const admit = (userId: string): LimitFunction => {
    const known = users.get(userId);
    if (known !== undefined) return known;
    if (users.size >= options.maxUsers) {
      options.onFull();
      throw overloaded();
    }
    const oneByOne = pLimit(1);
    users.set(userId, oneByOne);
    return oneByOne;
  };

  return {
    async run(userId, query) {
      const oneByOne = admit(userId);
      try {
        return await oneByOne(() => inTurn(query));
      } finally {
        if (oneByOne.activeCount + oneByOne.pendingCount === 0) users.delete(userId);
      }
    },
  };
};
