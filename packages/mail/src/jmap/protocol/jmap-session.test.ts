import { describe, expect, it, onTestFinished } from 'vitest';
import { startFakeJmap } from '../testing/fake-jmap/fake-jmap.ts';
import { setUpClient } from '../testing/test-client.ts';
import { getMailboxes, MAIL } from './jmap-schemas.ts';

const MAILBOXES = [getMailboxes({ ids: null })] as const;

describe('the session', () => {
  it('is read once, with the token, and gives the address, the account and the limits', async () => {
    const { client, server } = await setUpClient({ limits: { maxObjectsInGet: 7 } });
    for (let time = 0; time < 2; time += 1) {
      await client.withSession(async ({ limits, send }) => {
        expect(limits.maxObjectsInGet).toBe(7);
        const [{ list }] = await send(MAILBOXES);
        expect(list.map(({ role }) => role)).toContain('archive');
      });
    }
    expect(server.requests.map(({ path }) => path)).toEqual(['/session', '/jmap/', '/jmap/']);
    expect(new Set(server.requests.map(({ token }) => token))).toEqual(new Set(['token-1']));
  });

  it('may have an absolute address, and neither limits nor anything about the account', async () => {
    const { client, server } = await setUpClient();
    const session = {
      apiUrl: `${server.origin}/api`,
      capabilities: {},
      accounts: { account: { accountCapabilities: null } },
      primaryAccounts: { [MAIL]: 'account' },
    };
    server.intercept(({ path }) =>
      path === '/session' ? { status: 200, body: { ...session, state: 's1' } } : undefined,
    );
    await client.withSession(async ({ limits, send }) => {
      expect(limits).toEqual({
        maxSizeRequest: 10_000_000,
        maxConcurrentRequests: 4,
        maxCallsInRequest: 16,
        maxObjectsInGet: 500,
        maxObjectsInSet: 500,
      });
      await send(MAILBOXES);
    });
    expect(server.requests.at(-1)?.path).toBe('/api');
  });

  it('of an account without mail is refused', async () => {
    const { client } = await setUpClient({ session: { primaryAccounts: {} } });
    const work = client.withSession(async () => undefined);
    await expect(work).rejects.toMatchObject({ code: 'mail_service_disabled' });
  });

  it('is of the account that the user signed in with, or of none', async () => {
    const accounts = { own: {}, account: {} };
    const { server, client: other } = await setUpClient({ session: { accounts } });
    const sessionUrl = server.sessionUrl;
    const { client } = await setUpClient({}, { server: { sessionUrl, accountId: 'own' } });
    await expect(client.withSession(({ send }) => send(MAILBOXES))).rejects.toMatchObject({
      type: 'accountNotFound',
    });
    await other.withSession(({ send }) => send(MAILBOXES));
    const { client: gone } = await setUpClient({}, { server: { sessionUrl, accountId: 'gone' } });
    const work = gone.withSession(async () => undefined);
    await expect(work).rejects.toMatchObject({ code: 'mail_service_disabled' });
  });

  it('is found by way of redirects', async () => {
    const { client, server } = await setUpClient();
    let redirects = 0;
    server.intercept(() => {
      redirects += 1;
      return redirects < 3 ? { status: 301, headers: { location: '/session' } } : undefined;
    });
    await client.withSession(({ send }) => send(MAILBOXES));
    expect(server.requests).toHaveLength(4);
  });

  it('is not taken where it is larger than a session may be', async () => {
    const { client } = await setUpClient({ session: { more: 'x'.repeat(1024 * 1024) } });
    const work = client.withSession(({ send }) => send(MAILBOXES));
    await expect(work).rejects.toMatchObject({ code: 'mailbox_unavailable' });
  });

  it('is read again when the server says that it has changed', async () => {
    const { client, server } = await setUpClient();
    await client.withSession(({ send }) => send(MAILBOXES));
    server.intercept((request) =>
      request.path === '/session'
        ? undefined
        : {
            status: 200,
            body: { methodResponses: [['error', { type: 'forbidden' }, '0']], sessionState: 's2' },
          },
    );
    const refused = client.withSession(({ send }) => send(MAILBOXES));
    await expect(refused).rejects.toMatchObject({ code: 'forbidden' });
    server.intercept(() => undefined);
    await client.withSession(({ send }) => send(MAILBOXES));
    expect(server.requests.filter(({ path }) => path === '/session')).toHaveLength(2);
  });

  it('is read again when the address of the API is gone', async () => {
    const { client, server } = await setUpClient();
    await client.withSession(async ({ send }) => {
      await send(MAILBOXES);
      server.intercept(({ path }) => {
        server.intercept(() => undefined);
        return path === '/jmap/' ? { status: 404 } : undefined;
      });
      await send(MAILBOXES);
    });
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/session',
      '/jmap/',
      '/jmap/',
      '/session',
      '/jmap/',
    ]);
  });
});

describe('a token', () => {
  it.each(['the API', 'the session resource'])('is not sent to another origin that has %s', async (what) => {
    const elsewhere = await startFakeJmap();
    onTestFinished(elsewhere.close);
    const { client, server } = await setUpClient({ session: { apiUrl: `${elsewhere.origin}/jmap/` } });
    if (what === 'the session resource') {
      server.intercept(() => ({ status: 302, headers: { location: elsewhere.sessionUrl } }));
    }
    const work = client.withSession(({ send }) => send(MAILBOXES));
    await expect(work).rejects.toMatchObject({ code: 'provider_configuration' });
    expect(elsewhere.requests).toEqual([]);
  });
});
