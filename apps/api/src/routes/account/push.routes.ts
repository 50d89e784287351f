import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The browsers that notifications of the user are sent to. */
export const addPushRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.getPushKey, async () => ({ key: useCases.findPushKey() }));

  bind(router, API_ROUTES.listPushSubscriptions, ({ caller, query }) =>
    useCases.listPushSubscriptions(caller.userId, query),
  );

  bind(router, API_ROUTES.subscribeToPush, ({ caller, body, readClient }) =>
    useCases.subscribeToPush(caller.userId, body, readClient().browser),
  );

  bind(router, API_ROUTES.unsubscribeFromPush, async ({ caller, params }) => {
    await useCases.unsubscribeFromPush(caller.userId, params.id);
    return undefined;
  });

  bind(router, API_ROUTES.sendTestNotification, async ({ caller }) => {
    await useCases.sendTestNotification(caller.userId);
    return undefined;
  });
};
