import { createECDH, createHash, randomBytes } from 'node:crypto';
import { MAX_PUSH_SUBSCRIPTIONS, PushSubscriptionSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiClient, type ApiHarness, startApi } from '../../testing/api-harness.ts';

const SUBSCRIPTIONS = '/api/v1/push/subscriptions';

const createPublicKey = () => {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  return pair.getPublicKey('base64url');
};
const VAPID_PUBLIC_KEY = createPublicKey();

/** What a browser returns from `PushSubscription.toJSON()`. */
const toSubscription = (name: string) => ({
  endpoint: `https://push.example.com/send/${name}`,
  expirationTime: null,
  keys: { p256dh: createPublicKey(), auth: randomBytes(16).toString('base64url') },
});
const toId = ({ endpoint }: { endpoint: string }) => createHash('sha256').update(endpoint).digest('hex');

describe('the browsers that notifications are sent to', () => {
  test('subscribe with the key of the installation', async () => {
    expect((await ada.get('/api/v1/push/key').expect(200)).body).toEqual({ key: VAPID_PUBLIC_KEY });
    const subscription = toSubscription('one');
    const { body } = await ada.post(SUBSCRIPTIONS, { ...subscription, language: 'de' }).expect(200);
    expect(PushSubscriptionSchema.parse(body)).toEqual(body);
    expect(body).toMatchObject({ id: toId(subscription), language: 'de' });
    expect((await ada.get(SUBSCRIPTIONS).expect(200)).body).toMatchObject({ total: 1, data: [body] });

    const [stored] = await api.testDatabase.query('SELECT * FROM "PushSubscription"');
    expect(JSON.stringify(stored)).not.toContain('push.example.com');
  });

  test('are stored once, and belong to the user who subscribed last', async () => {
    const subscription = toSubscription('shared');
    await ada.post(SUBSCRIPTIONS, subscription).expect(200);
    await ada.post(SUBSCRIPTIONS, subscription).expect(200);
    expect((await ada.get(SUBSCRIPTIONS)).body.total).toBe(1);

    const grace = await api.signIn('grace@example.com');
    await grace.post(SUBSCRIPTIONS, subscription).expect(200);
    expect((await ada.get(SUBSCRIPTIONS)).body.total).toBe(0);
    await ada.delete(`${SUBSCRIPTIONS}/${toId(subscription)}`).expect(204);
    expect((await grace.get(SUBSCRIPTIONS)).body.total).toBe(1);
  });

  test('end', async () => {
    const subscription = toSubscription('one');
    await ada.post(SUBSCRIPTIONS, subscription).expect(200);
    await ada.delete(`${SUBSCRIPTIONS}/${toId(subscription)}`).expect(204);
    await ada.delete(`${SUBSCRIPTIONS}/${toId(subscription)}`).expect(204);
    expect((await ada.get(SUBSCRIPTIONS)).body.data).toEqual([]);
  });

  test('are forgotten when the user signs out everywhere', async () => {
    const grace = await api.signIn('grace@example.com');
    await ada.post(SUBSCRIPTIONS, toSubscription('one')).expect(200);
    await grace.post(SUBSCRIPTIONS, toSubscription('two')).expect(200);
    await ada.post('/auth/logout-everywhere', {}).expect(204);
    expect((await (await api.signIn()).get(SUBSCRIPTIONS)).body.total).toBe(0);
    expect((await grace.get(SUBSCRIPTIONS)).body.total).toBe(1);
  });

  test('are limited', async () => {
    for (let index = 0; index < MAX_PUSH_SUBSCRIPTIONS; index += 1) {
      await ada.post(SUBSCRIPTIONS, toSubscription(String(index))).expect(200);
    }
    const { body } = await ada.post(SUBSCRIPTIONS, toSubscription('more')).expect(409);
    expect(body).toMatchObject({ code: 'too_many_subscriptions' });
    await ada.post(SUBSCRIPTIONS, toSubscription('0')).expect(200);
  });

  test.each([
    ['an address without TLS', { endpoint: 'http://push.example.com/send/1' }, 'endpoint'],
    ['no address', { endpoint: 'push' }, 'endpoint'],
    ['credentials in the address', { endpoint: 'https://a:b@push.example.com/' }, 'endpoint'],
    ['a long address', { endpoint: `https://push.example.com/${'x'.repeat(2_048)}` }, 'endpoint'],
    [
      'a key that is no point',
      { keys: { ...toSubscription('').keys, p256dh: 'A'.repeat(87) } },
      'keys.p256dh',
    ],
    ['a short key', { keys: { ...toSubscription('').keys, p256dh: 'AAAA' } }, 'keys.p256dh'],
    [
      'a secret in another alphabet',
      { keys: { ...toSubscription('').keys, auth: '+/+/+/+/+/+/+/+/+/+/+w' } },
      'keys.auth',
    ],
    ['no secret', { keys: { p256dh: VAPID_PUBLIC_KEY } }, 'keys.auth'],
    ['an unknown field', { topic: 'x' }, 'topic'],
    ['another language', { language: 'fr' }, 'language'],
  ])('refuse %s, and name the field', async (_name, change, path) => {
    const { body } = await ada.post(SUBSCRIPTIONS, { ...toSubscription('one'), ...change }).expect(400);
    expect(body).toMatchObject({ code: 'validation_failed', errors: [{ path }] });
  });

  test('are part of the export without address and keys, and of the erasure', async () => {
    await ada.post(SUBSCRIPTIONS, toSubscription('one')).expect(200);
    await ada.post('/api/v1/push/test').expect(204);
    const { body } = await ada.get('/api/v1/me/export').expect(200);
    expect(body.data.PushSubscription).toMatchObject([{ language: 'en' }]);
    expect(body.data.Notification).toMatchObject([{ kind: 'test', state: 'pending' }]);
    expect(JSON.stringify(body.data)).not.toMatch(/encryptedSubscription|encryptedContent/);

    await ada.delete('/api/v1/me', { confirm: body.data.User[0].email }).expect(204);
    expect(await api.testDatabase.query('SELECT FROM "PushSubscription"')).toEqual([]);
    expect(await api.testDatabase.query('SELECT FROM "Notification"')).toEqual([]);
  });
});

describe('test notifications', () => {
  test('are recorded for the worker, three a minute', async () => {
    for (let count = 0; count < 3; count += 1) await ada.post('/api/v1/push/test').expect(204);
    const { body, headers } = await ada.post('/api/v1/push/test').expect(429);
    expect(body).toMatchObject({ code: 'too_many_tests' });
    expect(headers['retry-after']).toBe('60');
    expect(await api.testDatabase.query('SELECT FROM "Notification"')).toHaveLength(3);
  });
});

describe('where the operator has not set up push', () => {
  test('the API says so, and stores nothing', async () => {
    const without = await startApi();
    try {
      const grace = await without.signIn();
      expect((await grace.get('/api/v1/push/key').expect(200)).body).toEqual({ key: null });
      for (const [path, body] of [
        [SUBSCRIPTIONS, toSubscription('one')],
        ['/api/v1/push/test', {}],
      ] as const) {
        expect((await grace.post(path, body).expect(409)).body).toMatchObject({ code: 'push_unavailable' });
      }
    } finally {
      await without.close();
    }
  });
});

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ env: { VAPID_PUBLIC_KEY } });
});
beforeEach(async () => {
  await api.testDatabase.query('DELETE FROM "PushSubscription"');
  await api.testDatabase.query('DELETE FROM "Notification"');
  ada = await api.signIn();
});
afterAll(() => api.close());
