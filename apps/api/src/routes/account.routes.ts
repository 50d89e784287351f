import { API_ROUTES } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import { findAccount } from '../auth/user.repository.ts';
import type { BindRoute } from '../http/bind-route.ts';

/** `GET /api/v1/me`. */
export const addAccountRoutes = (router: Router, bind: BindRoute, database: Database): void => {
  bind(router, API_ROUTES.getMe, async ({ session: { userId, expiresAt } }) => {
    const account = await findAccount(database, userId);
    if (account === null) throw new ProblemError(401, 'unauthorized', 'This account no longer exists.');
    return { userId, ...account, sessionExpiresAt: expiresAt.toISOString() };
  });
};
