import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../dependencies.ts';
import type { BindRoute } from '../http/bind-route.ts';

/** What has been seen of the whole mailbox: senders, their mail, and what is suggested for it. */
export const addSenderRoutes = (
  router: Router,
  bind: BindRoute,
  useCases: Pick<UseCases, 'listSenders' | 'listSenderEmails' | 'listStoredSuggestions'>,
): void => {
  bind(router, API_ROUTES.listSenders, ({ session, query }) => useCases.listSenders(session.userId, query));

  bind(router, API_ROUTES.listSenderEmails, ({ session, params, query }) =>
    useCases.listSenderEmails(session.userId, params.id, query),
  );

  bind(router, API_ROUTES.listStoredSuggestions, ({ session, query }) =>
    useCases.listStoredSuggestions(session.userId, query),
  );
};
