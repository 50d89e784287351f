import { listenOnLoopback } from '@mailsweep/service-kit';
import { createManualClock } from '@mailsweep/service-kit/testing';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startJmapServer } from '../testing/index.ts';
import { identify } from './identify.ts';
import { createJmapProvider, type JmapProvider } from './providers.ts';

test('a session is found at its well-known address, too, where it redirects to it', async () => {
  const jmap = await start();
  const provider = toProvider(`${jmap.url}/.well-known/jmap`);

  expect(await identify(provider, jmap.issueToken('ada'))).toEqual({
    accountId: 'u1',
    identity: { subject: 'jmap:own:u1', email: 'ada', name: null },
    isReadOnly: false,
  });
});

test.each([
  ['holds what no database takes', 'a\u0000da', 'ada'],
  ['reorders what is around it', 'ada\u202E@example.com', 'ada@example.com'],
  ['has no end', `${'x'.repeat(100_000)}@example.com`, 'x'.repeat(320)],
])('a name that %s is made fit to show', async (_what, username, email) => {
  const jmap = await startJmapServer({ users: { [username]: { accountId: 'u1' } } });
  onTestFinished(() => jmap.close());
  const { identity } = await identify(toProvider(jmap.sessionUrl), jmap.issueToken(username));
  expect(identity.email).toBe(email);
});

test('a token is not sent to another origin that the server redirects to', async () => {
  const jmap = await start();
  const other = await listenOnLoopback((_request, response) => {
    response.writeHead(302, { location: jmap.sessionUrl }).end();
  }, 0);
  onTestFinished(() => other.close());

  await expect(identify(toProvider(other.url), jmap.issueToken('ada'))).rejects.toMatchObject({
    code: 'provider_configuration',
  });
  expect(jmap.calls).toEqual([]);
});

test.each([
  ['does not accept the token', 401, 'invalid_grant'],
  ['refuses the token', 403, 'missing_scope'],
  ['has too many calls', 429, 'provider_unavailable'],
  ['fails', 500, 'provider_unavailable'],
  ['has no session there', 404, 'provider_error'],
])('a server that %s', async (_case, status, code) => {
  const jmap = await start();
  jmap.failWith(status);
  const clock = createManualClock();
  const identified = identify(toProvider(jmap.sessionUrl), 'token', undefined, clock);
  await expect(identified).rejects.toMatchObject({ code });
});

test('a server that fails for a moment is asked again while the user waits', async () => {
  const jmap = await start();
  jmap.failWith(503);
  const clock = createManualClock();
  const sleep = vi.spyOn(clock, 'sleep').mockImplementation(async () => jmap.failWith(undefined));
  const { accountId } = await identify(toProvider(jmap.sessionUrl), jmap.issueToken('ada'), undefined, clock);
  expect([accountId, sleep.mock.calls.length]).toEqual(['u1', 1]);
});

test.each(['no JSON', '{}'])('an address that has something else (%s) has no session', async (body) => {
  const other = await listenOnLoopback((_request, response) => void response.end(body), 0);
  onTestFinished(() => other.close());
  await expect(identify(toProvider(other.url), 'token')).rejects.toMatchObject({ code: 'provider_error' });
});

test('a server that does not listen is not available', async () => {
  const jmap = await start();
  await jmap.close();
  const clock = createManualClock();
  const identified = identify(toProvider(jmap.sessionUrl), 'token', undefined, clock);
  await expect(identified).rejects.toMatchObject({ code: 'provider_unavailable' });
});

const toProvider = (sessionUrl: string): JmapProvider =>
  createJmapProvider(
    { key: 'own', name: 'Own', sessionUrl, scopes: [], token: true },
    'https://app.example/callback',
  );

const start = async () => {
  const jmap = await startJmapServer({ users: { ada: { accountId: 'u1' } } });
  onTestFinished(() => jmap.close().catch(() => undefined));
  return jmap;
};
