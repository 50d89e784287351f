import { expect, it, vi } from 'vitest';
import { createAppClient } from '../api/app-client.ts';
import { endPushHere, restorePush, switchPushOff, switchPushOn } from './device-push.ts';
import { ENDPOINT, KEY, KEYS, stubBrowser, toId } from './testing/stub-browser.ts';

const OTHER_ENDPOINT = 'https://push.example.com/send/2';
const OTHER_KEY = `${KEY.slice(0, -1)}Q`;

it.each([
  ['has lost its subscription', {}],
  ['has a subscription with a former key', { isSubscribed: true, subscribedKey: OTHER_KEY }],
  ['was given another subscription', { isSubscribed: true, endpoint: OTHER_ENDPOINT }],
])('restores notifications where a browser %s', async (_what, browser) => {
  await switchOn();
  const { requestPermission } = stubBrowser({ permission: 'granted', ...browser });
  const { client, subscribed } = openApi();
  await restorePush(client);
  const { endpoint = ENDPOINT } = browser as { endpoint?: string };
  expect(subscribed()).toEqual([{ endpoint, keys: KEYS, language: 'en' }]);
  expect(requestPermission).toHaveBeenCalledTimes(1);
  // Once is enough.
  await restorePush(client);
  expect(subscribed()).toHaveLength(1);
});

it.each([
  ['the browser has its subscription', { isSubscribed: true }, 'ada'],
  ['someone else is signed in', {}, 'bo'],
  ['the permission was withdrawn', { permission: 'denied' }, 'ada'],
  ['the browser would have to ask', { permission: 'default' }, 'ada'],
])('leaves notifications alone when %s', async (_when, browser, userId) => {
  await switchOn();
  stubBrowser({ permission: 'granted', ...browser });
  const { client, subscribed } = openApi(userId);
  await restorePush(client);
  expect(subscribed()).toEqual([]);
});

it.each([
  ['switched off', (client: ReturnType<typeof openApi>['client']) => switchPushOff(client)],
  ['ended by signing out', () => endPushHere()],
])('does not restore notifications that were %s', async (_how, end) => {
  await switchOn();
  stubBrowser({ permission: 'granted', isSubscribed: true });
  const { client, subscribed } = openApi();
  await end(client);
  await restorePush(client);
  expect(subscribed()).toEqual([]);
});

it('ends notifications that are switched off while they are restored', async () => {
  await switchOn();
  const { subscribe, unsubscribe } = stubBrowser({ permission: 'granted' });
  const { client, fetch } = openApi();
  const restored = restorePush(client);
  await vi.waitFor(() => expect(fetch).toHaveBeenCalled());
  await Promise.all([restored, switchPushOff(client)]);
  expect(fetch.mock.lastCall?.[1]?.method).toBe('DELETE');
  expect(unsubscribe).toHaveBeenCalledTimes(subscribe.mock.calls.length);
  await restorePush(client);
  expect(fetch.mock.lastCall?.[1]?.method).toBe('DELETE');
});

it('asks nothing of a server for users who never switched notifications on', async () => {
  stubBrowser({ permission: 'granted' });
  const { client, fetch } = openApi();
  await restorePush(client);
  expect(fetch).not.toHaveBeenCalled();
});

const switchOn = async () => {
  stubBrowser();
  await switchPushOn(openApi().client, KEY);
};

/** An API that accepts subscriptions. */
const openApi = (userId = 'ada') => {
  const bodies: unknown[] = [];
  const fetch = vi.fn<typeof globalThis.fetch>(async (resource, init) => {
    const { pathname } = new URL(String(resource));
    if (pathname === '/api/v1/me') return Response.json({ userId });
    if (pathname === '/api/v1/push/key') return Response.json({ key: KEY });
    if (init?.method !== 'POST') return new Response(null, { status: 204 });
    const body = JSON.parse(String(init.body));
    bodies.push(body);
    return Response.json({ id: await toId(body.endpoint) });
  });
  return {
    client: createAppClient({ apiOrigin: 'https://api.example.org', fetch }),
    fetch,
    subscribed: () => bodies,
  };
};
