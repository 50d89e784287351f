import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  resolvesWithin,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

const retryDelayMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });
/** Time for work in flight to end at shutdown, in milliseconds; other workers take over what does not. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Does one kind of work that waits in the database as due rows, for as long as the process runs.
 *
 * @param options.name - for logs
 * @param options.claim - leases what has been due the longest; null when nothing is due
 * @param options.run - does what was claimed, and ends its lease
 * @param options.concurrency - how many run at once
 * @param options.idleMs - how often the database is asked while nothing is due
 * @param options.stopping - aborted at shutdown, so that work in flight ends
 * @returns wake() has the database asked at once
 */
export const startDueWork = <Claimed>(
  { logger, lifecycle }: { logger: Logger; lifecycle: Lifecycle },
  options: {
    name: string;
    claim: () => Promise<Claimed | null>;
    run: (claimed: Claimed) => Promise<unknown>;
    concurrency: number;
    idleMs: number;
    stopping?: AbortController;
  },
): Pick<BackgroundLoop, 'wake'> => {
  const { name, claim, run, concurrency, idleMs, stopping } = options;
  const inFlight = new Set<Promise<void>>();

  const start = async (claimed: Claimed): Promise<void> => {
    try {
      await run(claimed);
    } catch (error) {
      // Its lease runs out, and it is claimed again.
      logger.error({ err: error }, `${name}: failed, to be repeated`);
    }
  };

  const loop: BackgroundLoop = startBackgroundLoop({
    async task() {
      if (inFlight.size >= concurrency) await Promise.race(inFlight);
      const claimed = await claim();
      if (claimed === null) return false;
      const running = start(claimed).finally(() => {
        inFlight.delete(running);
        // More of it may be due now.
        loop.wake();
      });
      inFlight.add(running);
      return true;
    },
    intervalMs: idleMs,
    retryDelayMs,
    outageLog: createOutageLog(logger, name),
  });
  lifecycle.onClose(name, async () => {
    stopping?.abort(new Error('the worker is stopping'));
    const closed = loop.close().then(() => Promise.all(inFlight));
    if (!(await resolvesWithin(closed, CLOSE_TIMEOUT_MS))) logger.warn(`${name}: left to other workers`);
  });
  return loop;
};
