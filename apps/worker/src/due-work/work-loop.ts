import { claimDueWork, type RunStep, type WorkKind } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  type Lifecycle,
  type Logger,
  resolvesWithin,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

/** How often the database is asked for due work of which nothing was heard, in milliseconds. */
const IDLE_MS = 1_000;
/** Time for work in flight to end at shutdown, in milliseconds; other workers take over what does not. */
const CLOSE_TIMEOUT_MS = 5_000;

/**
 * Does one kind of due work for as long as the process runs.
 *
 * @param options.concurrency - how many steps run at once
 * @param options.stopping - aborted at shutdown, so that steps in flight end
 * @returns wake() has the database asked at once
 */
export const startWorkLoop = (
  { database, logger, lifecycle }: { database: Database; logger: Logger; lifecycle: Lifecycle },
  kind: WorkKind,
  options: { runStep: RunStep; concurrency: number; stopping?: AbortController },
): Pick<BackgroundLoop, 'wake'> => {
  const { runStep, concurrency, stopping } = options;
  const name = `steps of each ${kind}`;
  const inFlight = new Set<Promise<void>>();

  const loop: BackgroundLoop = startBackgroundLoop({
    async task() {
      if (inFlight.size >= concurrency) await Promise.race(inFlight);
      const work = await claimDueWork(database, kind);
      if (work === null) return false;
      const running = runStep(work)
        // Its lease runs out, and it is claimed again.
        .catch((error: unknown) => logger.error({ err: error }, `${name}: failed, to be repeated`))
        .finally(() => {
          inFlight.delete(running);
          // More of it may be due now.
          loop.wake();
        });
      inFlight.add(running);
      return true;
    },
    intervalMs: IDLE_MS,
    outageLog: createOutageLog(logger, name),
  });
  lifecycle.onClose(name, async () => {
    stopping?.abort(new Error('the worker is stopping'));
    const closed = loop.close().then(() => Promise.all(inFlight));
    if (!(await resolvesWithin(closed, CLOSE_TIMEOUT_MS))) logger.warn(`${name}: left to other workers`);
  });
  return loop;
};
