import { type Database, pingDatabase } from '@mailsweep/database';
import type { QueueBackend } from '@mailsweep/event-bus';
import { createOperationsRouter } from '@mailsweep/service-kit';
import express, { type Express } from 'express';
import type { ApiMetrics } from './metrics.ts';

/** The operators' routes of the API, for a port that the public does not reach. */
export const createOperationsApp = (dependencies: {
  database: Database;
  queue: Pick<QueueBackend, 'ping'>;
  metrics: ApiMetrics;
}): { app: Express; stopBeingReady(): void } => {
  let isStopping = false;
  const router = createOperationsRouter({
    registry: dependencies.metrics.registry,
    checks: {
      lifecycle: async () => !isStopping,
      database: () => pingDatabase(dependencies.database).then(() => true),
    },
    // Events wait in the outbox.
    spared: { queue: () => dependencies.queue.ping().then(() => true) },
  });
  return {
    app: express().disable('x-powered-by').use(router),
    /** From now on `/ready` returns 503, so that load balancers stop sending requests here. */
    stopBeingReady() {
      isStopping = true;
    },
  };
};
