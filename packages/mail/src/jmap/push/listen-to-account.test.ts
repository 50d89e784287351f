import { createFakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { SILENCE_MS } from '../protocol/event-source-url.ts';
import { type FakeJmap, type FakeJmapOptions, startFakeJmap } from '../testing/fake-jmap/fake-jmap.ts';
import { listenToAccount } from './listen-to-account.ts';

const listening = (server: FakeJmap) => {
  const stopping = new AbortController();
  const accessTokens = createFakeAccessTokens();
  const onChange = vi.fn();
  const end = listenToAccount({
    server: { sessionUrl: server.sessionUrl },
    accessTokens,
    signal: stopping.signal,
    onChange,
  });
  // A test that does not wait for the end is told of it by another assertion.
  end.catch(() => undefined);
  return { end, onChange, accessTokens, stop: () => stopping.abort() };
};

const start = async (content: FakeJmapOptions = {}) => {
  const server = await startFakeJmap(content);
  onTestFinished(server.close);
  return server;
};

const isOpen = (server: FakeJmap) => expect.poll(() => server.events.count()).toBe(1);

it('hears of each change over one connection, which its signal closes', async () => {
  const server = await start();
  const { end, onChange, stop } = listening(server);
  // What was missed before.
  await expect.poll(() => onChange.mock.calls.length).toBe(1);
  server.deliver();
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
  stop();
  expect(await end).toBe('closed');
  await expect.poll(() => server.events.count()).toBe(0);
  expect(server.requests.map(({ path }) => path)).toEqual([
    '/session',
    '/events?types=Email%2CEmailDelivery&closeafter=no&ping=60',
  ]);
});

it('takes no notice of pings, of other accounts and of what it does not know', async () => {
  const server = await start();
  const { onChange } = listening(server);
  await isOpen(server);
  server.events.send('ping', { interval: 60 });
  server.events.send('state', { changed: { other: { Email: '7' } } });
  server.events.send('state', 'nonsense');
  server.events.send('message', { changed: { account: { Email: '7' } } });
  server.deliver();
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
});

it('ends when the server closes the connection', async () => {
  const server = await start();
  const { end } = listening(server);
  await isOpen(server);
  server.events.end();
  expect(await end).toBe('closed');
});

/** Polling moves the clock, too. */
const ALMOST_MS = 0.8 * SILENCE_MS;

it('ends when the connection is silent for too long', async () => {
  const server = await start();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const { end, onChange } = listening(server);
  await expect.poll(() => onChange.mock.calls.length).toBe(1);
  await vi.advanceTimersByTimeAsync(ALMOST_MS);
  server.deliver();
  await expect.poll(() => onChange.mock.calls.length).toBe(2);
  await vi.advanceTimersByTimeAsync(ALMOST_MS);
  expect(server.events.count()).toBe(1);
  await vi.advanceTimersByTimeAsync(SILENCE_MS);
  expect(await end).toBe('closed');
});

it.each([
  ['has no address for it', { session: { eventSourceUrl: undefined } }],
  [
    'has it at an address of somebody else',
    { session: { eventSourceUrl: 'https://elsewhere.example/{types}' } },
  ],
])('is not supported by a server that %s', async (_, content) => {
  const server = await start(content);
  expect(await listening(server).end).toBe('unsupported');
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['204, as Cyrus does without push', { status: 204 }],
  ['404', { status: 404 }],
  ['a redirect', { status: 302, headers: { location: '/session' } }],
  ['something else', { status: 200, body: {} }],
])('is not supported by a server that responds with %s', async (_, response) => {
  const server = await start();
  server.intercept(({ path }) => (path.startsWith('/events') ? response : undefined));
  expect(await listening(server).end).toBe('unsupported');
  expect(server.requests).toHaveLength(2);
});

it('renews a token that is refused, once', async () => {
  const server = await start();
  server.intercept(({ path, token }) =>
    path.startsWith('/events') && token === 'token-1' ? { status: 401 } : undefined,
  );
  const { accessTokens } = listening(server);
  await isOpen(server);
  expect(accessTokens.refused).toEqual(['token-1']);
});

it.each([
  ['no longer takes the token', { status: 401 }, { code: 'reauth_required' }],
  ['has too much to do', { status: 503, headers: { 'retry-after': '7' } }, { retryAfterMs: 7_000 }],
  ['breaks off', 'lost', { code: 'mailbox_unavailable' }],
] as const)('fails where the server %s', async (_, response, error) => {
  const server = await start();
  server.intercept(({ path }) => (path.startsWith('/events') ? response : undefined));
  await expect(listening(server).end).rejects.toMatchObject(error);
});

it('gives up an event that never ends', async () => {
  const server = await start();
  const { end } = listening(server);
  await isOpen(server);
  server.events.send('state', 'x'.repeat(200_000));
  await expect(end).rejects.toMatchObject({ code: 'mailbox_unavailable' });
});
