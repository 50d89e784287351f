import { setTimeout as sleep } from 'node:timers/promises';
import pLimit, { type LimitFunction } from 'p-limit';
import { overloaded } from './shed-load.ts';

export interface QueryQueue {
  /**
   * Runs a query when its turn comes.
   *
   * @throws ProblemError 503 when queries of too many users wait
   */
  run<T>(userId: string, query: () => Promise<T>): Promise<T>;
}

/** Longest rest after a query, in milliseconds: one that waited for a slow provider has kept no processor busy. */
const LONGEST_REST_MS = 1_000;

/**
 * A queue that keeps expensive queries from taking the connections and the processors that all other requests need. It
 * runs one query of a user at a time, and users take turns, so many queries of one user delay only that user. How many
 * of them wait is bounded by the limit on a user's requests in flight.
 *
 * @param options.concurrency - most queries running in this process
 * @param options.maxUsers - most users with queries, running or waiting
 * @param options.rests - keeps each place empty after a query for as long as it took, at most a second: programs that ask
 *   again and again then leave half of the processors to others
 * @param options.onFull - called when a query is refused
 */
export const createQueryQueue = (options: {
  concurrency: number;
  maxUsers: number;
  rests?: boolean;
  onFull: () => void;
}): QueryQueue => {
  const places = pLimit(options.concurrency);
  const users = new Map<string, LimitFunction>();

  const inTurn = <T>(query: () => Promise<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      void places(async () => {
        const startedMs = performance.now();
        await query().then(resolve, reject);
        if (options.rests) await sleep(Math.min(performance.now() - startedMs, LONGEST_REST_MS));
      });
    });

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
