import { API_ROUTES } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { BindRoute } from '../http/bind-route.ts';

/** Longest wait for the database's answer, in milliseconds. */
const DATABASE_CHECK_TIMEOUT_MS = 2_500;

/** `GET /api/v1/health` and `GET /api/v1/health/db`; neither needs a session. */
export const addHealthRoutes = (router: Router, bind: BindRoute, database: Database): void => {
  bind(router, API_ROUTES.checkHealth, async () => ({ status: 'ok' as const }));

  bind(router, API_ROUTES.checkDatabaseHealth, async () => {
    const isReachable = await isDatabaseReachable(database);
    if (!isReachable) throw new ProblemError(503, 'database_unavailable', 'The database can’t be reached.');
    return { db: 'ok' as const };
  });
};

/** Whether the database answers in time. */
export const isDatabaseReachable = async (database: Database): Promise<boolean> => {
  const timeout = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => timeout.resolve(false), DATABASE_CHECK_TIMEOUT_MS);
  const answer = database.$queryRaw`SELECT 1`.then(
    () => true,
    () => false,
  );
  return Promise.race([answer, timeout.promise]).finally(() => clearTimeout(timer));
};
