import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { createProblem, invalidField } from '../../http/create-problem.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The senders that a user protects. */
export const addProtectionRoutes = (
  router: Router,
  bind: BindRoute,
  useCases: Pick<UseCases, 'listProtections' | 'protectByName' | 'protectSender' | 'unprotectSender'>,
): void => {
  bind(router, API_ROUTES.listProtections, ({ caller, query }) =>
    useCases.listProtections(caller.userId, query),
  );

  bind(router, API_ROUTES.protectByName, async ({ caller, body }) => {
    const protection = await useCases.protectByName(caller.userId, body.name);
    if (protection === null) {
      throw invalidField('body', 'name', 'must be an address or a domain');
    }
    return protection;
  });

  bind(router, API_ROUTES.protectSender, async ({ caller, params }) => {
    const protection = await useCases.protectSender(caller.userId, params.id);
    if (protection === null) {
      throw createProblem('not_found', 'No email of such a sender was read in your mailbox.');
    }
    return protection;
  });

  bind(router, API_ROUTES.unprotectSender, async ({ caller, params }) => {
    await useCases.unprotectSender(caller.userId, params.id);
    return undefined;
  });
};
