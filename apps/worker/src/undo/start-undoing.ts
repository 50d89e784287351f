import {
  claimDueBatchUndo,
  countBatchUndos,
  createRunBatchUndo,
  createUndoActions,
  type OpenMailbox,
  type PlanExecutor,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { createSharedReading, type Lifecycle, type Logger } from '@mailsweep/service-kit';
import { Gauge, type Registry } from 'prom-client';
import { startDueWork } from '../due-work.ts';

/** Steps taken at once, each of another batch; most of the time each waits for Gmail. */
const CONCURRENCY = 8;
const IDLE_MS = 1_000;

/** Starts undoing batches. A step that is in flight at shutdown gets the time to end. */
export const startUndoing = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  planExecutor: PlanExecutor;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}): void => {
  const { database, logger, registry } = dependencies;
  const readCounts = createSharedReading(() => countBatchUndos(database));
  new Gauge({
    name: 'mailsweep_batch_undos',
    help: 'Undos of batches that go on (running), or of which workers died too often (parked).',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      const counts = await readCounts();
      this.reset();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  startDueWork(dependencies, {
    name: 'undo of batches',
    claim: () => claimDueBatchUndo(database),
    run: createRunBatchUndo({ database, undoActions: createUndoActions(dependencies), logger }),
    concurrency: CONCURRENCY,
    idleMs: IDLE_MS,
  });
};
