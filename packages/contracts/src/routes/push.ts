import {
  ListPushSubscriptionsResponseSchema,
  PushKeySchema,
  PushSubscriptionParamsSchema,
  PushSubscriptionSchema,
  SubscribeToPushRequestSchema,
} from '../account/push.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineRoutes, NoContentSchema } from './route-contract.ts';

export const PUSH_ROUTES = defineRoutes({
  getPushKey: {
    method: 'get',
    path: '/api/v1/push/key',
    response: PushKeySchema,
  },
  listPushSubscriptions: {
    method: 'get',
    path: '/api/v1/push/subscriptions',
    query: PaginationQuerySchema,
    response: ListPushSubscriptionsResponseSchema,
  },
  subscribeToPush: {
    method: 'post',
    path: '/api/v1/push/subscriptions',
    body: SubscribeToPushRequestSchema,
    response: PushSubscriptionSchema,
  },
  unsubscribeFromPush: {
    method: 'delete',
    path: '/api/v1/push/subscriptions/{id}',
    params: PushSubscriptionParamsSchema,
    response: NoContentSchema,
  },
  sendTestNotification: {
    method: 'post',
    path: '/api/v1/push/test',
    response: NoContentSchema,
  },
});
