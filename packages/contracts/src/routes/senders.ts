import {
  EmailParamsSchema,
  ListSenderEmailsResponseSchema,
  ListSendersQuerySchema,
  ListSendersResponseSchema,
  SenderDetailsSchema,
  SenderParamsSchema,
} from '../senders/sender.ts';
import { UnsubscribeSchema } from '../senders/unsubscribe.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes } from './route-contract.ts';

export const SENDERS_ROUTES = defineRoutes({
  listSenders: {
    method: 'get',
    path: '/api/v1/senders',
    query: ListSendersQuerySchema,
    response: ListSendersResponseSchema,
  },
  getSender: {
    method: 'get',
    path: '/api/v1/senders/{id}',
    params: SenderParamsSchema,
    response: SenderDetailsSchema,
  },
  getSenderOfEmail: {
    method: 'get',
    path: '/api/v1/emails/{id}/sender',
    params: EmailParamsSchema,
    response: SenderDetailsSchema,
  },
  listSenderEmails: {
    method: 'get',
    path: '/api/v1/senders/{id}/emails',
    params: SenderParamsSchema,
    query: PaginationQuerySchema,
    response: ListSenderEmailsResponseSchema,
  },
  getUnsubscribe: {
    method: 'get',
    path: '/api/v1/senders/{id}/unsubscribe',
    params: SenderParamsSchema,
    response: UnsubscribeSchema,
  },
  unsubscribe: {
    method: 'post',
    path: '/api/v1/senders/{id}/unsubscribe',
    params: SenderParamsSchema,
    response: UnsubscribeSchema,
    accepts: true,
    idempotent: true,
  },
});
