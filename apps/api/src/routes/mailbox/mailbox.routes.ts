import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/emails`, `GET /api/v1/mailbox`, `POST /api/v1/emails/lookup`, `GET /api/v1/conversations/{threadId}` and `POST /api/v1/inbox/actions`. */
export const addMailboxRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.listEmails, ({ caller, query }) => useCases.listEmails(caller.userId, query));

  bind(router, API_ROUTES.getMailboxOverview, ({ caller, query }) =>
    useCases.countMailbox(caller.userId, query),
  );

  bind(router, API_ROUTES.lookUpEmails, ({ caller, body }) => useCases.lookUpEmails(caller.userId, body));

  bind(router, API_ROUTES.readConversation, ({ caller, params }) =>
    useCases.readConversation(caller.userId, params.threadId),
  );

  bind(router, API_ROUTES.executeInboxAction, ({ caller, body, idempotency }) =>
    useCases.executeInboxAction(caller.userId, body, idempotency),
  );
};
