import { API_ROUTES } from '@mailsweep/contracts';
import type { Router } from 'express';
import type { UseCases } from '../../use-cases.ts';
import type { BindRoute } from '../bind-route.ts';

/** `GET /api/v1/emails`, `GET /api/v1/mailbox`, `POST /api/v1/emails/lookup`, `GET /api/v1/conversations/{threadId}` and `POST /api/v1/inbox/actions`. */
export const addMailboxRoutes = (router: Router, bind: BindRoute, useCases: UseCases): void => {
  bind(router, API_ROUTES.listEmails, ({ session, query }) => useCases.listEmails(session.userId, query));

  bind(router, API_ROUTES.getMailboxOverview, ({ session, query }) =>
    useCases.countMailbox(session.userId, query),
  );

  bind(router, API_ROUTES.lookUpEmails, ({ session, body }) => useCases.lookUpEmails(session.userId, body));

  bind(router, API_ROUTES.readConversation, ({ session, params }) =>
    useCases.readConversation(session.userId, params.threadId),
  );

  bind(router, API_ROUTES.executeInboxAction, ({ session, body, idempotency }) =>
    useCases.executeInboxAction(session.userId, body, idempotency),
  );
};
