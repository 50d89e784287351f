import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** The browsers that notifications of the user are sent to. */
export const addPushRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.getPushKey, async () => ({ key: useCases.findPushKey() }));

  bind(router, API_ROUTES.listPushSubscriptions, ({ session, query }) =>
    useCases.listPushSubscriptions(session.userId, query),
  );

  bind(router, API_ROUTES.subscribeToPush, ({ session, body, readClient }) =>
    useCases.subscribeToPush(session.userId, body, readClient().browser),
  );

  bind(router, API_ROUTES.unsubscribeFromPush, async ({ session, params }) => {
    await useCases.unsubscribeFromPush(session.userId, params.id);
    return undefined;
  });

  bind(router, API_ROUTES.sendTestNotification, async ({ session }) => {
    await useCases.sendTestNotification(session.userId);
    return undefined;
  });
};
