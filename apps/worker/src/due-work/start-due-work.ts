import type { Mailsweep, Maintenance, WorkKind } from '@mailsweep/core';
import {
  type BackgroundLoop,
  createOutageLog,
  type Lifecycle,
  type Logger,
  resolvesWithin,
  startBackgroundLoop,
} from '@mailsweep/service-kit';

interface Dependencies {
  databaseUrl: string;
  maintenance: Maintenance;
  steps: Pick<ReturnType<Mailsweep['openSteps']>, 'run'>;
  onGivenUp: (kind: WorkKind) => void;
  logger: Logger;
  lifecycle: Lifecycle;
}

type Waker = Pick<BackgroundLoop, 'wake'>;

export const startDueWork = (dependencies: Dependencies): void => {
  const { kinds } = dependencies.maintenance.work;
  const loops = new Map(kinds.map((kind) => [kind, startWorkLoop(dependencies, kind)]));
  listenForWork(dependencies, loops);
  startGivingUp(dependencies);
};

/** Steps of one kind taken at once, each of other work; most of the time each waits for Gmail. */
const CONCURRENCY = 8;
/** How often each loop asks the database, in case it missed an announcement, in milliseconds. */
const IDLE_MS = 1_000;
/** Time for work in flight to end at shutdown, in milliseconds; other workers take over what does not. */
const CLOSE_TIMEOUT_MS = 5_000;

interface LoopSettings {
  concurrency?: number;
  /** Leaves steps in flight to other workers at once at shutdown; other kinds get time to end. */
  isInterrupted?: boolean;
}

const SPECIAL: Partial<Record<WorkKind, LoopSettings>> = {
  scan: { isInterrupted: true },
  watch: { isInterrupted: true },
  // Most of the time each waits for the sender's server, or for push services.
  unsubscribe: { concurrency: 4 },
  notification: { concurrency: 4, isInterrupted: true },
  digest: { concurrency: 1 },
};

const startWorkLoop = ({ maintenance, steps, logger, lifecycle }: Dependencies, kind: WorkKind): Waker => {
  const { concurrency = CONCURRENCY, isInterrupted = false } = SPECIAL[kind] ?? {};
  const stopping = isInterrupted ? new AbortController() : undefined;
  const name = `steps of each ${kind}`;
  const inFlight = new Set<Promise<void>>();

  const loop: BackgroundLoop = startBackgroundLoop({
    async task() {
      if (inFlight.size >= concurrency) await Promise.race(inFlight);
      const work = await maintenance.work.claim(kind);
      if (work === null) return false;
      const running = steps
        .run(kind, work, stopping?.signal)
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

/** Wakes a loop as soon as work of its kind is announced. */
export const listenForWork = (
  dependencies: Pick<Dependencies, 'databaseUrl' | 'maintenance' | 'logger' | 'lifecycle'>,
  loops: ReadonlyMap<string, Waker>,
): void => {
  const { databaseUrl, maintenance, logger, lifecycle } = dependencies;
  const stopping = new AbortController();
  const listening = startBackgroundLoop({
    async task() {
      await maintenance.work.listen({
        databaseUrl,
        signal: stopping.signal,
        onListening() {
          for (const loop of loops.values()) loop.wake();
        },
        onNotified: (kind) => loops.get(kind)?.wake(),
      });
      return true;
    },
    intervalMs: 0,
    outageLog: createOutageLog(logger, 'listening for due work'),
  });
  lifecycle.onClose('listening for due work', () => {
    stopping.abort();
    return listening.close();
  });
};

const GIVE_UP_INTERVAL_MS = 60_000;

/** Gives up work that made no progress for a day. */
const startGivingUp = ({ maintenance: { work }, onGivenUp, logger, lifecycle }: Dependencies): void => {
  const loop = startBackgroundLoop({
    async task() {
      for (const kind of work.kinds) {
        const count = await work.giveUpStuck(kind);
        if (count > 0) logger.warn({ kind, count }, 'work timed out without progress');
        for (let each = 0; each < count; each += 1) onGivenUp(kind);
      }
      return false;
    },
    intervalMs: GIVE_UP_INTERVAL_MS,
    outageLog: createOutageLog(logger, 'giving up work'),
  });
  lifecycle.onClose('giving up work', () => loop.close());
};
