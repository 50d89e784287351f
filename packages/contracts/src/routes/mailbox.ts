import { ConversationParamsSchema, ConversationSchema } from '../conversation.ts';
import { ListEmailsResponseSchema } from '../email.ts';
import { LookUpEmailsRequestSchema, LookUpEmailsResponseSchema } from '../email-lookup.ts';
import { ListEmailsQuerySchema } from '../email-query.ts';
import { InboxActionRequestSchema, InboxActionResponseSchema } from '../mailbox-action.ts';
import { MailboxOverviewSchema } from '../mailbox-overview.ts';
import { defineRoutes } from './route-contract.ts';

export const MAILBOX_ROUTES = defineRoutes({
  listEmails: {
    method: 'get',
    path: '/api/v1/emails',
    query: ListEmailsQuerySchema,
    response: ListEmailsResponseSchema,
  },
  getMailboxOverview: {
    method: 'get',
    path: '/api/v1/mailbox',
    response: MailboxOverviewSchema,
  },
  lookUpEmails: {
    method: 'post',
    path: '/api/v1/emails/lookup',
    body: LookUpEmailsRequestSchema,
    response: LookUpEmailsResponseSchema,
  },
  readConversation: {
    method: 'get',
    path: '/api/v1/conversations/{threadId}',
    params: ConversationParamsSchema,
    response: ConversationSchema,
  },
  executeInboxAction: {
    method: 'post',
    path: '/api/v1/inbox/actions',
    body: InboxActionRequestSchema,
    response: InboxActionResponseSchema,
    idempotent: true,
  },
});
