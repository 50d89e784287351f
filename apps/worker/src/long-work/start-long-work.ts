import {
  claimDueWork,
  countWork,
  createRunStep,
  giveUpStuckWork,
  type LeasedWork,
  LONG_WORK_KINDS,
  type LongWorkKind,
  type StepOutcome,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import {
  createOutageLog,
  createSharedReading,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { startDueWork } from '../due-work.ts';
import { listenForWork } from './listen-for-work.ts';

/** Steps of one kind taken at once, each of other work; most of the time each waits for Gmail. */
const CONCURRENCY = 8;
/** How often the database is asked for due work of which nothing was heard, in milliseconds. */
const IDLE_MS = 1_000;
/** How often work without progress is looked for, in milliseconds. */
const GIVE_UP_INTERVAL_MS = 60_000;
const retryDelayMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });

interface Dependencies {
  databaseUrl: string;
  database: Database;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}

/** How the steps of one kind are taken. */
export interface LongWorkSteps {
  takeStep: (work: LeasedWork) => Promise<StepOutcome>;
  /** Aborted at shutdown, to end steps in flight at once; where it is left out, they get the time to end. */
  stopping?: AbortController;
  /** Called for each that was given up. */
  onGivenUp?: () => void;
}

/** Starts doing long work of all kinds, and gives up scans and cleanups that have not got on for a day. */
export const startLongWork = (
  dependencies: Dependencies,
  steps: Record<LongWorkKind, LongWorkSteps>,
): void => {
  const { database, logger, lifecycle } = dependencies;
  const loops = new Map(
    LONG_WORK_KINDS.map((kind) => {
      const { takeStep, stopping } = steps[kind];
      const loop = startDueWork(dependencies, {
        name: `steps of each ${kind}`,
        claim: () => claimDueWork(database, kind),
        run: createRunStep(dependencies, kind, takeStep, stopping?.signal),
        concurrency: CONCURRENCY,
        idleMs: IDLE_MS,
        ...(stopping && { stopping }),
      });
      return [kind, loop];
    }),
  );
  listenForWork(dependencies, loops);
  registerGauge(dependencies);

  const givingUp = startBackgroundLoop({
    async task() {
      for (const kind of LONG_WORK_KINDS) {
        const count = await giveUpStuckWork(database, kind);
        if (count > 0) logger.warn({ kind, count }, 'long work timed out without progress');
        for (let each = 0; each < count; each += 1) steps[kind].onGivenUp?.();
      }
      return false;
    },
    intervalMs: GIVE_UP_INTERVAL_MS,
    retryDelayMs,
    outageLog: createOutageLog(logger, 'giving up long work'),
  });
  lifecycle.onClose('giving up long work', () => givingUp.close());
};

const registerGauge = ({ database, registry }: Dependencies): void => {
  const readCounts = createSharedReading(() =>
    Promise.all(LONG_WORK_KINDS.map(async (kind) => ({ kind, ...(await countWork(database, kind)) }))),
  );
  new Gauge({
    name: 'mailsweep_long_work',
    help: 'Scans, cleanups and undos in progress (active), or of which workers died too often (parked).',
    labelNames: ['kind', 'state'],
    registers: [registry],
    async collect() {
      const counts = await readCounts();
      this.reset();
      for (const { kind, active, parked } of counts ?? []) {
        this.set({ kind, state: 'active' }, active);
        this.set({ kind, state: 'parked' }, parked);
      }
    },
  });
};
