import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './ask.ts';

/** Requests that keep coming, whatever becomes of those before. */
export interface SteadyLoad {
  /** Sends no more, and waits for the answers to come. */
  stop(): Promise<Reply[]>;
}

/** How often a batch of requests is sent, in milliseconds. */
const TICK_MS = 20;

/**
 * Sends requests at a steady rate. What a late timer left out is made good, so that the rate holds on average.
 *
 * @param options.send - makes the n-th request, counted from 0
 */
export const startSteadyLoad = (options: {
  requestsPerSecond: number;
  send: (number: number) => Promise<Reply>;
}): SteadyLoad => {
  const { requestsPerSecond, send } = options;
  const replies: Promise<Reply>[] = [];
  let isStopped = false;
  const startedMs = performance.now();
  const run = async () => {
    while (!isStopped) {
      const due = Math.floor(((performance.now() - startedMs) / 1_000) * requestsPerSecond);
      while (replies.length < due) replies.push(send(replies.length));
      await sleep(TICK_MS);
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
      return Promise.all(replies);
    },
  };
};

/** The middle one of some numbers. */
export const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
