import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '../logger.ts';
import { exponentialDelay, type RetryDelay } from '../resilience/retry.ts';

export interface BackgroundLoop {
  /** Runs the task soon: at once when the loop is idle, else once more after the current run. */
  wake(): void;
  /** Lets the current run finish and starts no other. */
  close(): Promise<void>;
}

/** Resolves after so many milliseconds, or as soon as the signal fires. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

const pauseOnClock: Pause = (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined);

const RETRY_DELAY = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });

/**
 * Runs a task repeatedly: at once while there is more to do, else when woken or when the interval is over. After an error it backs off; wake() never shortens the backoff.
 *
 * @param options.task - resolves to true while there is more to do
 * @param options.intervalMs - longest idle time
 */
export const startBackgroundLoop = (options: {
  task: () => Promise<boolean>;
  intervalMs: number;
  retryDelayMs?: RetryDelay;
  outageLog: OutageLog;
  pause?: Pause;
}): BackgroundLoop => {
  const { task, intervalMs, retryDelayMs = RETRY_DELAY, outageLog, pause = pauseOnClock } = options;
  let isClosed = false;
  let isWoken = false;
  let idle: AbortController | undefined;
  let backoff: AbortController | undefined;

  const waitForWork = async () => {
    if (isWoken || isClosed) return;
    idle = new AbortController();
    await pause(intervalMs, idle.signal);
    idle = undefined;
  };

  const backOff = async (failures: number) => {
    if (isClosed) return;
    backoff = new AbortController();
    await pause(retryDelayMs(failures), backoff.signal);
  };

  const run = async () => {
    let failures = 0;
    while (!isClosed) {
      // Reset before the run: a wake during the run may concern rows that the run does not see.
      isWoken = false;
      try {
        const hasMore = await task();
        failures = 0;
        outageLog.recovered();
        if (!hasMore) await waitForWork();
      } catch (error) {
        failures += 1;
        outageLog.failed(error);
        await backOff(failures);
      }
    }
  };

  const running = run();
  return {
    wake() {
      isWoken = true;
      idle?.abort();
    },
    async close() {
      isClosed = true;
      idle?.abort();
      backoff?.abort();
      await running;
    },
  };
};

export interface OutageLog {
  failed(error: unknown): void;
  recovered(): void;
}

/** Logs one line when an outage begins and one when it ends, however many errors occur in between. */
export const createOutageLog = (logger: Logger, what: string): OutageLog => {
  let isOut = false;
  return {
    failed(error) {
      if (!isOut) logger.warn({ err: error }, `${what}: unavailable, retrying`);
      isOut = true;
    },
    recovered() {
      if (isOut) logger.info(`${what}: available again`);
      isOut = false;
    },
  };
};
