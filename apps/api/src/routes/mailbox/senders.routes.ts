import { API_ROUTES } from '@mailsweep/contracts';
import { ProblemError } from '@mailsweep/service-kit';
import type { Router } from 'express';
import type { QueryQueue } from '../../limits/query-queue.ts';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** What has been seen of the whole mailbox: senders, their email, what is suggested for it, and what the user did. */
export const addSenderRoutes = (
  router: Router,
  bind: BindRoute,
  dependencies: {
    useCases: Pick<
      UseCases,
      | 'listSenders'
      | 'findSender'
      | 'listSenderEmails'
      | 'listStoredSuggestions'
      | 'listSuggestionGroups'
      | 'summarizeSuggestions'
      | 'getActivity'
      | 'findUnsubscribe'
      | 'unsubscribe'
    >;
    queryQueue: QueryQueue;
  },
): void => {
  const { useCases, queryQueue } = dependencies;

  bind(router, API_ROUTES.listSenders, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listSenders(userId, query)),
  );

  const findSender = async (userId: string, reference: Parameters<UseCases['findSender']>[1]) => {
    const sender = await queryQueue.run(userId, () => useCases.findSender(userId, reference));
    if (sender === null) throw new ProblemError(404, 'not_found', 'No email of this sender is left.');
    return sender;
  };

  bind(router, API_ROUTES.getSender, ({ session, params }) =>
    findSender(session.userId, { senderId: params.id }),
  );

  bind(router, API_ROUTES.getSenderOfEmail, ({ session, params }) =>
    findSender(session.userId, { emailId: params.id }),
  );

  bind(router, API_ROUTES.listSenderEmails, ({ session: { userId }, params, query }) =>
    queryQueue.run(userId, () => useCases.listSenderEmails(userId, params.id, query)),
  );

  bind(router, API_ROUTES.getUnsubscribe, ({ session: { userId }, params }) =>
    useCases.findUnsubscribe(userId, params.id),
  );

  bind(router, API_ROUTES.unsubscribe, async ({ session, params, accept, readClient }) => {
    const client = { sessionId: session.id, ...readClient() };
    const unsubscribe = await useCases.unsubscribe(session.userId, params.id, client);
    if (unsubscribe.state === 'requested') accept();
    return unsubscribe;
  });

  bind(router, API_ROUTES.listStoredSuggestions, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listStoredSuggestions(userId, query)),
  );

  bind(router, API_ROUTES.listSuggestionGroups, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listSuggestionGroups(userId, query)),
  );

  bind(router, API_ROUTES.summarizeSuggestions, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.summarizeSuggestions(userId, query.period)),
  );

  bind(router, API_ROUTES.getActivity, ({ session: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.getActivity(userId, query.period)),
  );
};
