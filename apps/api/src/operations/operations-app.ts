import { type Database, pingDatabase } from '@mailsweep/database';
import { createOperationsRouter } from '@mailsweep/service-kit';
import express, { type Express } from 'express';
import type { ApiMetrics } from './metrics.ts';

/** The operators' routes of the API, for a port that the public does not reach. */
export const createOperationsApp = (dependencies: {
  database: Database;
  metrics: ApiMetrics;
}): { app: Express; stopBeingReady(): void } => {
  let isStopping = false;
  const router = createOperationsRouter({
    registry: dependencies.metrics.registry,
    checks: {
      lifecycle: async () => !isStopping,
      // Without the queue the API serves on: events wait in the outbox.
      database: () => pingDatabase(dependencies.database).then(() => true),
    },
  });
  return {
    app: express().disable('x-powered-by').use(router),
    /** From now on `/ready` returns 503, so that load balancers stop sending requests here. */
    stopBeingReady() {
      isStopping = true;
    },
  };
};
