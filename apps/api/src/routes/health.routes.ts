import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { databaseUnavailable } from '../http/database-unavailable.ts';
import type { UseCases } from '../use-cases.ts';
import type { BindRoute } from './bind-route.ts';

/** `GET /api/v1/health` and `GET /api/v1/health/db`; neither needs a session. */
export const addHealthRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.checkHealth, async () => ({ status: 'ok' as const }));

  bind(router, API_ROUTES.checkDatabaseHealth, async () => {
    if (!(await useCases.isDatabaseReachable())) throw databaseUnavailable();
    return { db: 'ok' as const };
  });
};
