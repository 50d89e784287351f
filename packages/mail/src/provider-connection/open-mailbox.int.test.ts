import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { listenOnLoopback, parseConfig } from '@mailsweep/service-kit';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { createMailboxAccess, type OpenJmapMailbox } from './open-mailbox.ts';
import { saveProviderTokens } from './provider-connection.repository.ts';
import { type JmapServer, startJmapServer } from './testing/index.ts';
import { mailboxAccessVariables } from './variables.ts';

const HOUR_MS = 3_600_000;

it('is at Gmail where the connection is', async () => {
  await connect({ provider: 'gmail', accountId: null });
  expect(await open().countInbox()).toMatchObject({ total: 3 });
  expect(gmailTokens).toEqual(['Bearer access-1']);
  expect(opened).toEqual([]);
});

it('is at a JMAP server where the connection is, and opened there once', async () => {
  const accessToken = jmap.issueToken('ada');
  await connect({ provider: 'example', accountId: 'u1' }, { accessToken });
  const mailbox = open();
  expect(await mailbox.countEmails('all')).toBe(1);
  expect(await mailbox.countEmails('all')).toBe(1);
  const server = { sessionUrl: jmap.sessionUrl, accountId: 'u1' };
  const facts = { name: 'Example', trashDays: 14 };
  expect(opened).toEqual([{ userId, server, authservId: 'mx.example', facts, priority: 'background' }]);
  expect(gmailTokens).toEqual([]);
});

it('has its tokens renewed at its own provider', async () => {
  await connect({ provider: 'example', accountId: 'u1' }, { ...(await grant()), lifeMs: 0 });
  expect(await open().countEmails('all')).toBe(1);
  expect(jmap.calls.filter(({ path }) => path === '/token')).toHaveLength(1);
});

it('has to be connected again once its provider refuses the refresh token', async () => {
  await connect({ provider: 'example', accountId: 'u1' }, { ...(await grant()), lifeMs: 0 });
  jmap.endGrants('ada');
  await expect(open().countEmails('all')).rejects.toMatchObject({ code: 'reauth_required' });
  expect(await isDead()).toBe(true);
});

it('has to be connected again once its provider refuses a token that the user made', async () => {
  const accessToken = jmap.issueToken('ada');
  await connect({ provider: 'own', accountId: 'u1' }, { accessToken, lifeMs: 10_000 * HOUR_MS });
  expect(await open().countEmails('all')).toBe(1);
  jmap.revokeToken(accessToken);
  await expect(open().countEmails('all')).rejects.toMatchObject({ code: 'reauth_required' });
  expect(await isDead()).toBe(true);
});

it('is found after the database was away', async () => {
  await connect({ provider: 'gmail', accountId: null });
  const mailbox = open();
  await db.query('ALTER TABLE "ProviderConnection" RENAME TO "Away"');
  await expect(mailbox.countInbox()).rejects.toMatchObject({ code: 'mailbox_unavailable' });
  await db.query('ALTER TABLE "Away" RENAME TO "ProviderConnection"');
  expect(await mailbox.countInbox()).toMatchObject({ total: 3 });
});

it('is unavailable while its tokens cannot be renewed, as the database takes no writes', async () => {
  await connect({ provider: 'example', accountId: 'u1' }, { ...(await grant()), lifeMs: 0 });
  await db.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN RAISE 'read-only' USING ERRCODE = 'read_only_sql_transaction'; END $$;
    CREATE TRIGGER refuse BEFORE UPDATE ON "ProviderConnection" EXECUTE FUNCTION refuse()`);
  await expect(open().countEmails('all')).rejects.toMatchObject({ code: 'mailbox_unavailable' });
  await db.query('DROP FUNCTION refuse CASCADE');
  expect(await open().countEmails('all')).toBe(1);
});

it('is none where its provider is no longer configured: no other provider gets the token', async () => {
  await connect({ provider: 'example', accountId: 'u1' });
  for (const providers of ['[]', OWN])
    await expect(open(providers).countInbox()).rejects.toMatchObject({ code: 'provider_configuration' });
  expect(gmailTokens).toEqual([]);
});

/** A refresh token of a user, by a sign-in. */
const grant = async () => {
  const { providers } = createAccess();
  const oauth = providers.get('example')?.oauth;
  if (oauth === undefined) throw new Error('no OAuth');
  const { url, secrets } = await oauth.beginLogin({ prompt: 'consent' });
  const { tokens } = await oauth.redeemCode(jmap.consent(url, 'ada').searchParams, secrets);
  jmap.calls.length = 0;
  return { refreshToken: tokens.refreshToken };
};

/** A mailbox that reads the session for each call, and renews a token that the server refuses. */
const openJmapMailbox: OpenJmapMailbox = ({ accessTokens, ...account }, { priority }) => {
  opened.push({ ...account, priority });
  const countEmails = async () => {
    const readSession = (token: string) =>
      fetch(account.server.sessionUrl, { headers: { authorization: `Bearer ${token}` } });
    const token = await accessTokens.current();
    const response = await readSession(token);
    const { status } =
      response.status === 401 ? await readSession(await accessTokens.renew(token)) : response;
    return status === 200 ? 1 : 0;
  };
  return { countEmails } as Partial<Mailbox> as Mailbox;
};

const createAccess = (JMAP_PROVIDERS = PROVIDERS) => {
  const env = {
    OAUTH_ISSUER: gmail.url,
    OAUTH_CLIENT_ID: 'client',
    OAUTH_CLIENT_SECRET: 'secret',
    GMAIL_BASE_URL: gmail.url,
    TOKEN_ENCRYPTION_KEY: Buffer.alloc(32, 1).toString('base64'),
    JMAP_PROVIDERS,
  };
  const config = parseConfig(z.object(mailboxAccessVariables), env);
  const { logger } = createRecordingLogger();
  const { database } = db;
  const observeQuota = () => undefined;
  return createMailboxAccess({ config, database, redis: undefined, logger, observeQuota, openJmapMailbox });
};

const open = (providers?: string) => createAccess(providers).openMailbox(userId, { priority: 'background' });

const connect = (
  account: { provider: string; accountId: string | null },
  {
    lifeMs = HOUR_MS,
    ...tokens
  }: { accessToken?: string; refreshToken?: string | undefined; lifeMs?: number } = {},
) => {
  const accessTokenExpiresAt = new Date(Date.now() + lifeMs);
  const given = { accessToken: 'access-1', refreshToken: undefined, ...tokens };
  const stored = { ...given, accessTokenExpiresAt, scope: 'mail' };
  return saveProviderTokens(db.database, createAccess().tokenCipher, userId, stored, account);
};

const isDead = async () => {
  const rows = await db.query(
    'SELECT FROM "ProviderConnection" WHERE "userId" = $1 AND "reauthRequiredAt" IS NOT NULL',
    [userId],
  );
  return rows.length === 1;
};

let db: TestDatabase;
let jmap: JmapServer;
let gmail: Awaited<ReturnType<typeof listenOnLoopback>>;
let PROVIDERS: string;
let OWN: string;
let userId: string;
let opened: unknown[];
let gmailTokens: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
  jmap = await startJmapServer({ users: { ada: { accountId: 'u1' } } });
  gmail = await listenOnLoopback((request, response) => {
    gmailTokens.push(request.headers.authorization);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ id: 'INBOX', name: 'INBOX', messagesTotal: 3, messagesUnread: 1 }));
  }, 0);
  const own = { key: 'own', name: 'Own', sessionUrl: jmap.sessionUrl, token: true };
  const oauth = { issuer: jmap.url, clientId: 'client' };
  OWN = JSON.stringify([own]);
  PROVIDERS = JSON.stringify([
    own,
    {
      key: 'example',
      name: 'Example',
      sessionUrl: jmap.sessionUrl,
      authservId: 'mx.example',
      trashDays: 14,
      ...oauth,
    },
  ]);
});
beforeEach(async () => {
  userId = randomUUID();
  await db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, $1::text, 'ada@example.com')`,
    [userId],
  );
  opened = [];
  gmailTokens = [];
  jmap.calls.length = 0;
});
afterAll(async () => {
  await Promise.all([gmail.close(), jmap.close()]);
  await db.drop();
});
