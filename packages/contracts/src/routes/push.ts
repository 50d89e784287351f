import {
  ListPushSubscriptionsResponseSchema,
  PushKeySchema,
  PushSubscriptionParamsSchema,
  PushSubscriptionSchema,
  SubscribeToPushRequestSchema,
} from '../account/push.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';

const UNAVAILABLE = 'Nothing was done: push is not set up.';

export const PUSH_SECTION = defineSection({
  tag: 'Push',
  description:
    'Choose the browsers that notifications are sent to (Web Push, RFC 8030). What is sent, and when, are preferences. Notifications are no domain events: they are not part of the timeline.',
  routes: {
    getPushKey: {
      method: 'get',
      path: '/api/v1/push/key',
      access: 'session',
      response: PushKeySchema,
      summary: 'Get the key for subscriptions',
      description: [
        'Returns the key with which a browser subscribes to push messages of this installation. It is null where the operator has not set up push; then nothing is sent to browsers.',
      ],
    },
    listPushSubscriptions: {
      method: 'get',
      path: '/api/v1/push/subscriptions',
      access: 'session',
      query: PaginationQuerySchema,
      response: ListPushSubscriptionsResponseSchema,
      summary: 'List subscribed browsers',
      description: [
        'Returns the browsers that notifications of the user are sent to, newest first. Their addresses and keys are not part of it. 20 on a page by default, at most 100.',
      ],
    },
    subscribeToPush: {
      method: 'post',
      path: '/api/v1/push/subscriptions',
      access: 'session',
      body: SubscribeToPushRequestSchema,
      response: PushSubscriptionSchema,
      refuses: {
        push_unavailable: UNAVAILABLE,
        too_many_subscriptions: 'Nothing was done: a user may have 20 subscriptions.',
      },
      summary: 'Subscribe a browser',
      description: [
        'Has notifications sent to a browser; the body is what `PushSubscription.toJSON()` returns there, with the language to write in. The endpoint must be an https address; messages are sent to public addresses only. An endpoint that is stored already is replaced, and belongs to the user who subscribed it last. A browser that has ended its subscription is removed with the next message.',
        'A user may have 20 browsers (409 `too_many_subscriptions`). Where the operator has not set up push, nothing is stored (409 `push_unavailable`).',
      ],
    },
    unsubscribeFromPush: {
      method: 'delete',
      path: '/api/v1/push/subscriptions/{id}',
      access: 'session',
      params: PushSubscriptionParamsSchema,
      response: NoContentSchema,
      summary: 'Unsubscribe a browser',
      description: ['Has nothing more sent to a browser. One that is not subscribed returns 204, too.'],
    },
    sendTestNotification: {
      method: 'post',
      path: '/api/v1/push/test',
      access: 'session',
      response: NoContentSchema,
      refuses: { push_unavailable: UNAVAILABLE },
      summary: 'Send a test notification',
      description: [
        'Sends a notification to all subscribed browsers of the user within seconds, also in quiet hours. At most three a minute (429 `too_many_tests`). Where the operator has not set up push, it returns 409 `push_unavailable`.',
      ],
    },
  },
});
