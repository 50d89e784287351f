import { InboxActionRequestSchema, InboxActionResponseSchema } from '../actions/mailbox-action.ts';
import { ConversationParamsSchema, ConversationSchema } from '../emails/conversation.ts';
import { ListEmailsResponseSchema } from '../emails/email.ts';
import { LookUpEmailsRequestSchema, LookUpEmailsResponseSchema } from '../emails/email-lookup.ts';
import { ListEmailsQuerySchema } from '../emails/email-query.ts';
import { MailboxOverviewQuerySchema, MailboxOverviewSchema } from '../emails/mailbox-overview.ts';
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
    query: MailboxOverviewQuerySchema,
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
