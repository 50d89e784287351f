import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The senders that a user protects. */
export const addProtectionRoutes = (
  router: Router,
  bind: BindRoute,
  useCases: Pick<UseCases, 'listProtections' | 'protectByName' | 'protectSender' | 'unprotectSender'>,
): void => {
  bind(router, API_ROUTES.listProtections, ({ session, query }) =>
    useCases.listProtections(session.userId, query),
  );

  bind(router, API_ROUTES.protectByName, async ({ session, body }) => {
    const protection = await useCases.protectByName(session.userId, body.name);
    if (protection === null)
      throw new ProblemError(400, 'invalid_request', 'The name is no address or domain.');
    return protection;
  });

  bind(router, API_ROUTES.protectSender, async ({ session, params }) => {
    const protection = await useCases.protectSender(session.userId, params.id);
    if (protection === null) {
      throw new ProblemError(404, 'not_found', 'No email of such a sender was read in your mailbox.');
    }
    return protection;
  });

  bind(router, API_ROUTES.unprotectSender, async ({ session, params }) => {
    await useCases.unprotectSender(session.userId, params.id);
    return undefined;
  });
};
