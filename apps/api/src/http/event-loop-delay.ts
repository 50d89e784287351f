import { monitorEventLoopDelay } from 'node:perf_hooks';

/** How often the event loop is sampled, and over which time the samples are averaged, in milliseconds. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 200;

export interface EventLoopDelay {
  /** How late timers were in the last fraction of a second, on average, in milliseconds. */
  recentMs(): number;
  close(): void;
}

/** Watches how far the event loop falls behind. */
export const watchEventLoopDelay = (): EventLoopDelay => {
  const samples = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  samples.enable();
  let recentMs = 0;
  const timer = setInterval(() => {
    recentMs = samples.count === 0 ? 0 : Math.max(0, samples.mean / 1e6 - RESOLUTION_MS);
    samples.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    recentMs: () => recentMs,
    close() {
      clearInterval(timer);
      samples.disable();
    },
  };
};
