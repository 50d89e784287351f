import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import { createProblem } from '../../http/create-problem.ts';
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

  bind(router, API_ROUTES.listSenders, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listSenders(userId, query)),
  );

  const findSender = async (userId: string, reference: Parameters<UseCases['findSender']>[1]) => {
    const sender = await queryQueue.run(userId, () => useCases.findSender(userId, reference));
    if (sender === null) throw createProblem('not_found', 'No email of this sender is left.');
    return sender;
  };

  bind(router, API_ROUTES.getSender, ({ caller, params }) =>
    findSender(caller.userId, { senderId: params.id }),
  );

  bind(router, API_ROUTES.getSenderOfEmail, ({ caller, params }) =>
    findSender(caller.userId, { emailId: params.id }),
  );

  bind(router, API_ROUTES.listSenderEmails, ({ caller: { userId }, params, query }) =>
    queryQueue.run(userId, () => useCases.listSenderEmails(userId, params.id, query)),
  );

  bind(router, API_ROUTES.getUnsubscribe, ({ caller: { userId }, params }) =>
    useCases.findUnsubscribe(userId, params.id),
  );

  bind(router, API_ROUTES.unsubscribe, async ({ caller, params, accept, readClient }) => {
    const client = readClient();
    const unsubscribe = await useCases.unsubscribe(caller.userId, params.id, client);
    if (unsubscribe.state === 'requested') accept();
    return unsubscribe;
  });

  bind(router, API_ROUTES.listStoredSuggestions, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listStoredSuggestions(userId, query)),
  );

  bind(router, API_ROUTES.listSuggestionGroups, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.listSuggestionGroups(userId, query)),
  );

  bind(router, API_ROUTES.summarizeSuggestions, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.summarizeSuggestions(userId, query.period)),
  );

  bind(router, API_ROUTES.getActivity, ({ caller: { userId }, query }) =>
    queryQueue.run(userId, () => useCases.getActivity(userId, query.period)),
  );
};
