import {
  ListPushSubscriptionsResponseSchema,
  PushKeySchema,
  PushSubscriptionParamsSchema,
  PushSubscriptionSchema,
  SubscribeToPushRequestSchema,
} from '../account/push.ts';
import { PaginationQuerySchema } from '../values/pagination.ts';
import { defineSection, NoContentSchema } from './route-contract.ts';
import { pageOf } from './samples.ts';

const SUBSCRIPTION_ID = '9f2c'.repeat(16);
const SUBSCRIPTION = {
  id: SUBSCRIPTION_ID,
  browser: 'Firefox on Windows',
  language: 'en' as const,
  createdAt: '2026-02-01T08:17:00.000Z',
};
const PUSH_KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
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
      examples: {
        responses: { 'Push is set up': { key: PUSH_KEY }, 'It is not': { key: null } },
      },
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
      examples: {
        query: { page: 1, perPage: 20 },
        responses: { 'One browser': pageOf([SUBSCRIPTION]) },
      },
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
      examples: {
        bodies: {
          'A browser': {
            endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/gAAAAABm',
            expirationTime: null,
            keys: { p256dh: PUSH_KEY, auth: 'BTBZMqHH6r4Tts7J_aSIgg' },
            language: 'en',
          },
        },
        responses: { Subscribed: SUBSCRIPTION },
      },
    },
    unsubscribeFromPush: {
      method: 'delete',
      path: '/api/v1/push/subscriptions/{id}',
      access: 'session',
      params: PushSubscriptionParamsSchema,
      response: NoContentSchema,
      summary: 'Unsubscribe a browser',
      description: ['Has nothing more sent to a browser. One that is not subscribed returns 204, too.'],
      examples: {
        params: { id: SUBSCRIPTION_ID },
      },
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
