import { API_ROUTES } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Router } from 'express';
import type { BindRoute } from '../http/bind-route.ts';
import { withinDatabaseDeadline } from '../http/database-deadline.ts';
import { databaseUnavailable } from '../http/database-unavailable.ts';
import { shareRecent } from '../http/share-recent.ts';

/** How long the result of a check of the database is reused, in milliseconds. */
const REUSE_MS = 1_000;

/** `GET /api/v1/health` and `GET /api/v1/health/db`; neither needs a session. */
export const addHealthRoutes = (router: Router, bind: BindRoute, database: Database): void => {
  bind(router, API_ROUTES.checkHealth, async () => ({ status: 'ok' as const }));

  const isReachable = shareRecent(() => isDatabaseReachable(database), REUSE_MS);
  bind(router, API_ROUTES.checkDatabaseHealth, async () => {
    if (!(await isReachable())) throw databaseUnavailable();
    return { db: 'ok' as const };
  });
};

/** Whether the database answers in time. */
const isDatabaseReachable = (database: Database): Promise<boolean> =>
  withinDatabaseDeadline(database.$queryRaw`SELECT 1`).then(
    () => true,
    () => false,
  );
