import {
  claimDueWork,
  countWork,
  createRunStep,
  giveUpStuckWork,
  type LeasedWork,
  type RunStep,
  type StepOutcome,
  WORK_CHANNEL,
  WORK_KINDS,
  type WorkKind,
} from '@mailsweep/core';
import { type Database, listenToChannel } from '@mailsweep/database';
import {
  type BackgroundLoop,
  createOutageLog,
  type Lifecycle,
  type Logger,
  registerReading,
  resolvesWithin,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';

/** Wakes a loop as soon as work of its kind is announced. Without a connection the loops look by themselves. */
export const listenForWork = (
  { databaseUrl, logger, lifecycle }: { databaseUrl: string; logger: Logger; lifecycle: Lifecycle },
  loops: ReadonlyMap<string, Pick<BackgroundLoop, 'wake'>>,
): void => {
  const stopping = new AbortController();
  const listening = startBackgroundLoop({
    async task() {
      await listenToChannel({
        databaseUrl,
        channel: WORK_CHANNEL,
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
const startWorkLoop = (
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

/** Steps of one kind taken at once, each of other work; most of the time each waits for Gmail. */
const CONCURRENCY = 8;
/** How often work without progress is looked for, in milliseconds. */
const GIVE_UP_INTERVAL_MS = 60_000;

interface Dependencies {
  databaseUrl: string;
  database: Database;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}

/** How the steps of one kind are taken. */
export interface WorkSteps {
  takeStep: (work: LeasedWork) => Promise<StepOutcome>;
  concurrency?: number;
  /** Aborted at shutdown, to end steps in flight at once; where it is left out, they get the time to end. */
  stopping?: AbortController;
  /** Called for each that was given up. */
  onGivenUp?: () => void;
}

/** Starts doing due work of all kinds, and gives up scans and cleanups that have not got on for a day. */
export const startDueWork = (dependencies: Dependencies, steps: Record<WorkKind, WorkSteps>): void => {
  const { database, logger, lifecycle } = dependencies;
  const loops = new Map(
    WORK_KINDS.map((kind) => {
      const { takeStep, concurrency = CONCURRENCY, stopping } = steps[kind];
      const loop = startWorkLoop(dependencies, kind, {
        runStep: createRunStep(dependencies, kind, takeStep, stopping?.signal),
        concurrency,
        ...(stopping && { stopping }),
      });
      return [kind, loop];
    }),
  );
  listenForWork(dependencies, loops);
  registerGauge(dependencies);

  const givingUp = startBackgroundLoop({
    async task() {
      for (const kind of WORK_KINDS) {
        const count = await giveUpStuckWork(database, kind);
        if (count > 0) logger.warn({ kind, count }, 'work timed out without progress');
        for (let each = 0; each < count; each += 1) steps[kind].onGivenUp?.();
      }
      return false;
    },
    intervalMs: GIVE_UP_INTERVAL_MS,
    outageLog: createOutageLog(logger, 'giving up work'),
  });
  lifecycle.onClose('giving up work', () => givingUp.close());
};

const registerGauge = ({ database, registry }: Dependencies): void => {
  const read = () =>
    Promise.all(WORK_KINDS.map(async (kind) => ({ kind, ...(await countWork(database, kind)) })));
  registerReading(registry, read, [
    {
      name: 'mailsweep_long_work',
      help: 'Due work by kind: in progress or waiting for its time (active), or of which workers died too often (parked).',
      labelNames: ['kind', 'state'],
      show(gauge, counts) {
        for (const { kind, active, parked } of counts) {
          gauge.set({ kind, state: 'active' }, active);
          gauge.set({ kind, state: 'parked' }, parked);
        }
      },
    },
  ]);
};
