import { listenOnLoopback } from '@mailsweep/service-kit';
import { Webhook } from 'standardwebhooks';
import { expect, it, onTestFinished } from 'vitest';
import { createWebhookInbox, type Delivery } from './create-webhook-inbox.ts';

const SECRET = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;

const startInbox = async ({ signingSecret }: { signingSecret?: string } = { signingSecret: SECRET }) => {
  const server = await listenOnLoopback(createWebhookInbox({ signingSecret }), 0);
  onTestFinished(server.close);
  return server.url;
};

const deliver = (url: string, body: unknown, id = 'event-1', ...secrets: string[]): Promise<Response> => {
  const text = JSON.stringify(body);
  const timestamp = new Date();
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(timestamp.getTime() / 1_000)),
    'webhook-signature': (secrets.length > 0 ? secrets : [SECRET])
      .map((secret) => new Webhook(secret).sign(id, timestamp, text))
      .join(' '),
  };
  return fetch(url, { method: 'POST', headers, body: text });
};

const listDeliveries = async (url: string): Promise<Delivery[]> =>
  (await (await fetch(`${url}/deliveries`)).json()) as Delivery[];

const behave = (url: string, behaviour: object): Promise<Response> =>
  fetch(`${url}/behaviour`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(behaviour),
  });

it('accepts a delivery whose signature is right, and shows it', async () => {
  const url = await startInbox();
  expect((await deliver(url, { type: 'domain.suggestions.generated' })).status).toBe(204);
  expect(await listDeliveries(url)).toEqual([
    {
      receivedAt: expect.any(String),
      id: 'event-1',
      signature: 'verified',
      status: 204,
      body: { type: 'domain.suggestions.generated' },
    },
  ]);
});

it('refuses a delivery that was signed with another secret, or not at all', async () => {
  const url = await startInbox();
  const otherSecret = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
  expect((await deliver(url, {}, 'event-1', otherSecret)).status).toBe(401);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
  expect((await listDeliveries(url)).map(({ signature }) => signature)).toEqual(['forged', 'forged']);
});

it('accepts a delivery that was signed with another secret as well', async () => {
  const url = await startInbox();
  const otherSecret = `whsec_${Buffer.alloc(32, 4).toString('base64')}`;
  expect((await deliver(url, {}, 'event-1', otherSecret, SECRET)).status).toBe(204);
  expect((await deliver(url, {}, 'event-2', SECRET, otherSecret)).status).toBe(204);
});

it('takes anything where it knows no secret', async () => {
  const url = await startInbox({});
  expect((await fetch(url, { method: 'POST', body: 'plain text' })).status).toBe(204);
  expect(await listDeliveries(url)).toMatchObject([{ signature: 'unchecked', body: 'plain text' }]);
});

it('shows what came as text, whatever it holds', async () => {
  const url = await startInbox();
  await deliver(url, { subject: '<script>alert(1)</script>' });
  const page = await (await fetch(url)).text();
  expect(page).not.toContain('<script>');
  expect(page).toContain('&#60;script&#62;');
});

it('stores the last two hundred deliveries, newest first', async () => {
  const url = await startInbox();
  for (let number = 1; number <= 203; number += 1) await deliver(url, {}, `event-${number}`);
  const deliveries = await listDeliveries(url);
  expect(deliveries).toHaveLength(200);
  expect([deliveries[0]?.id, deliveries[199]?.id]).toEqual(['event-203', 'event-4']);
});

it('responds as configured, that many times, and then accepts again', async () => {
  const url = await startInbox();
  await behave(url, { status: 429, times: 2, retryAfterSeconds: 9 });
  const responses = [await deliver(url, {}), await deliver(url, {}), await deliver(url, {})];
  expect(responses.map(({ status }) => status)).toEqual([429, 429, 204]);
  expect(responses[0]?.headers.get('retry-after')).toBe('9');
  expect((await behave(url, { status: 'shout' })).status).toBe(400);
});

it('leaves a sender waiting when configured to hang', async () => {
  const url = await startInbox({});
  await behave(url, { status: 'hang', times: 1 });
  const signal = AbortSignal.timeout(200);
  await expect(fetch(url, { method: 'POST', body: '{}', signal })).rejects.toThrow('timeout');
  expect(await listDeliveries(url)).toMatchObject([{ status: null }]);
});
