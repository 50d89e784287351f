import { setTimeout as sleep } from 'node:timers/promises';
import type { OutageLog } from './outage-log.ts';
import type { RetryDelay } from './retry-delays.ts';

export interface BackgroundLoop {
  /** Runs the task soon: at once when the loop is idle, else once more after the present run. */
  wake(): void;
  /** Lets the present run finish and starts no other. */
  close(): Promise<void>;
}

/** Resolves after so many milliseconds, or as soon as the signal fires. */
export type Pause = (delayMs: number, signal: AbortSignal) => Promise<void>;

const pauseOnClock: Pause = (delayMs, signal) => sleep(delayMs, undefined, { signal }).catch(() => undefined);

/**
 * Runs a task again and again: at once while it says that there is more to do, else when woken or when the
 * interval is over. After a failure it backs off, and no wake cuts that short: what failed a moment ago
 * needs rest, not haste.
 *
 * @param options.task - answers whether there is more to do
 * @param options.intervalMs - longest idle time
 */
export const startBackgroundLoop = (options: {
  task: () => Promise<boolean>;
  intervalMs: number;
  retryDelayMs: RetryDelay;
  outageLog: OutageLog;
  pause?: Pause;
}): BackgroundLoop => {
  const { task, intervalMs, retryDelayMs, outageLog, pause = pauseOnClock } = options;
  let isClosed = false;
  let isWoken = false;
  let idle: AbortController | undefined;
  let rest: AbortController | undefined;

  const waitForWork = async () => {
    if (isWoken || isClosed) return;
    idle = new AbortController();
    await pause(intervalMs, idle.signal);
    idle = undefined;
  };

  const backOff = async (failures: number) => {
    if (isClosed) return;
    rest = new AbortController();
    await pause(retryDelayMs(failures, Math.random), rest.signal);
  };

  const run = async () => {
    let failures = 0;
    while (!isClosed) {
      // Taken back before the run: a wake that comes during it is about rows it may have missed.
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
      rest?.abort();
      await running;
    },
  };
};
