import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reply } from './ask.ts';

export interface LoadResult {
  replies: Reply[];
  /**
   * Responses other than 200. An orderly refusal (429 or 503) is none while the machine itself stood still: a
   * process that gets no time to run is right to refuse.
   */
  failures: Pick<Reply, 'status' | 'text' | 'tookMs'>[];
  /** The longest time for which this process, and so the machine, stood still, in milliseconds. */
  worstLagMs: number;
}

/** Requests that keep coming, whatever becomes of those before. */
export interface SteadyLoad {
  /** Sends no more, and waits for the responses to come. */
  stop(): Promise<LoadResult>;
}

/** Settings of an API for a load that comes from one user at one address, but stands for many. */
export const ONE_CLIENT_FOR_MANY = {
  // As behind a proxy, the connections of an address are not limited.
  TRUST_PROXY_HOPS: '1',
};

/** How often a batch of requests is sent, in milliseconds. */
const TICK_MS = 20;
/** A machine that lets a process wait for so long has no time for anybody, in milliseconds. */
export const STANDSTILL_MS = 300;
const REFUSALS = new Set([429, 503]);

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
  const sent: Promise<Reply>[] = [];
  const lag = monitorEventLoopDelay({ resolution: TICK_MS });
  lag.enable();
  let isStopped = false;
  const startedMs = performance.now();
  const run = async () => {
    while (!isStopped) {
      const due = Math.floor(((performance.now() - startedMs) / 1_000) * requestsPerSecond);
      while (sent.length < due) sent.push(send(sent.length));
      await sleep(TICK_MS);
    }
  };
  const running = run();
  return {
    async stop() {
      isStopped = true;
      await running;
      const replies = await Promise.all(sent);
      lag.disable();
      const worstLagMs = lag.max / 1e6;
      const isExcused = (status: number) => worstLagMs > STANDSTILL_MS && REFUSALS.has(status);
      const failures = replies
        .filter(({ status }) => status !== 200 && !isExcused(status))
        .map(({ status, text, tookMs }) => ({ status, text, tookMs }));
      return { replies, failures, worstLagMs };
    },
  };
};

/** The middle one of some numbers. */
export const medianOf = (numbers: readonly number[]): number =>
  numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
