import { listenOnLoopback } from '@mailsweep/service-kit';
import { expect, onTestFinished, test } from 'vitest';
import { startJmapServer } from '../testing/index.ts';
import { readJmapAccount } from './jmap-account.ts';

test('a session is found at its well-known address, too, where it redirects to it', async () => {
  const jmap = await start();
  const token = jmap.issueToken('ada');

  expect(await readJmapAccount(`${jmap.url}/.well-known/jmap`, token)).toEqual({
    accountId: 'u1',
    username: 'ada',
  });
});

test('a token is not sent to another origin that the server redirects to', async () => {
  const jmap = await start();
  const other = await listenOnLoopback((_request, response) => {
    response.writeHead(302, { location: jmap.sessionUrl }).end();
  }, 0);
  onTestFinished(() => other.close());

  await expect(readJmapAccount(other.url, jmap.issueToken('ada'))).rejects.toMatchObject({
    code: 'invalid_grant',
  });
  expect(jmap.calls).toMatchObject([{ path: '/jmap/session', authorization: undefined }]);
});

test.each([
  ['refuses the token', 403, 'missing_scope'],
  ['has too many calls', 429, 'provider_unavailable'],
  ['fails', 500, 'provider_unavailable'],
  ['has no session there', 404, 'provider_error'],
])('a server that %s', async (_case, status, code) => {
  const jmap = await start();
  jmap.failWith(status);
  await expect(readJmapAccount(jmap.sessionUrl, 'token')).rejects.toMatchObject({ code });
});

test('a server that does not listen is not available', async () => {
  const jmap = await start();
  await jmap.close();
  await expect(readJmapAccount(jmap.sessionUrl, 'token')).rejects.toMatchObject({
    code: 'provider_unavailable',
  });
});

const start = async () => {
  const jmap = await startJmapServer({ users: { ada: { accountId: 'u1' } } });
  onTestFinished(() => jmap.close().catch(() => undefined));
  return jmap;
};
