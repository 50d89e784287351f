import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { AuthorizationServer } from '../../auth/authorization-server/authorization-server.ts';
import { createProblem } from '../../http/create-problem.ts';
import type { BindRoute } from '../bind-route.ts';

/** What the page needs on which a user lets a program act for them. */
export const addAuthorizationRoutes = (
  router: Router,
  bind: BindRoute,
  authorizationServer: AuthorizationServer,
): void => {
  bind(router, API_ROUTES.getAuthorizationRequest, async ({ caller, params }) =>
    found(await authorizationServer.show(caller.userId, params.id)),
  );

  bind(router, API_ROUTES.allowAuthorizationRequest, async ({ caller, params, body }) =>
    found(await authorizationServer.allow(caller, params.id, body)),
  );

  bind(router, API_ROUTES.denyAuthorizationRequest, async ({ caller, params }) =>
    found(await authorizationServer.deny(caller.userId, params.id)),
  );
};

const found = <T>(result: T | null): T => {
  if (result !== null) return result;
  throw createProblem('not_found', 'There is no such request for you to decide: it is over.');
};
