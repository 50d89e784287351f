import { API_ROUTES } from '@mailsweep/contracts';
import { type Database, pingDatabase } from '@mailsweep/database';
import { createSharedReading } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { BindRoute } from '../http/bind-route.ts';
import { databaseUnavailable } from '../http/database-unavailable.ts';

/** How long the result of a check of the database is reused, in milliseconds. */
const HEALTH_REUSE_MS = 1_000;

/** `GET /api/v1/health` and `GET /api/v1/health/db`; neither needs a session. */
export const addHealthRoutes = (router: Router, bind: BindRoute, database: Database): void => {
  const readDatabaseHealth = createSharedReading(async () => {
    await pingDatabase(database);
    return true;
  }, HEALTH_REUSE_MS);

  bind(router, API_ROUTES.checkHealth, async () => ({ status: 'ok' as const }));

  bind(router, API_ROUTES.checkDatabaseHealth, async () => {
    if (!(await readDatabaseHealth())) throw databaseUnavailable();
    return { db: 'ok' as const };
  });
};
