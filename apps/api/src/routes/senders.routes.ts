import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../dependencies.ts';
import type { BindRoute } from '../http/bind-route.ts';
import type { QueryQueue } from '../http/query-queue.ts';

/** What has been seen of the whole mailbox: senders, their email, and what is suggested for it. */
export const addSenderRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: {
    useCases: Pick<
      UseCases,
      'listSenders' | 'listSenderEmails' | 'listStoredSuggestions' | 'summarizeSuggestions'
    >;
    queryQueue: QueryQueue;
  },
): void => {
  const { useCases, queryQueue } = dependencies;

  bind(router, API_ROUTES.listSenders, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listSenders(userId, query)),
  );

  bind(router, API_ROUTES.listSenderEmails, ({ session: { userId }, params, query }) =>
    queryQueue.run(userId, () => useCases.listSenderEmails(userId, params.id, query)),
  );

  bind(router, API_ROUTES.listStoredSuggestions, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listStoredSuggestions(userId, query)),
  );

  bind(router, API_ROUTES.summarizeSuggestions, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.summarizeSuggestions(userId, query.period)),
  );
};
