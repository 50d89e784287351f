import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createTokenCipher } from './encryption/token-cipher.ts';
import { OidcError } from './oidc-error.ts';
import type { OidcProvider } from './oidc-provider.ts';
import { markReauthRequired, saveProviderTokens } from './provider-connection.repository.ts';
import { createGmailProvider, createJmapProvider, GMAIL, type Provider } from './providers/providers.ts';
import { createRevokeGrant } from './revoke-grant.ts';

const IN_AN_HOUR = new Date(Date.now() + 3_600_000);
const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });

it('revokes the refresh token, which ends the whole grant', async () => {
  await connect('refresh');
  await revokeGrant(userId);
  expect(revoked).toEqual(['refresh']);
});

it('gives the access token back where there is no other', async () => {
  await connect(undefined);
  await revokeGrant(userId);
  expect(revoked).toEqual(['access']);
});

it('asks nothing of the provider where there is no connection, or a dead one', async () => {
  await revokeGrant(userId);
  await connect('refresh');
  await markReauthRequired(db.database, userId, { accessTokenExpiresAt: IN_AN_HOUR });
  await revokeGrant(userId);
  expect(revoked).toEqual([]);
});

it('fails when the provider refuses', async () => {
  await connect('refresh');
  failure = new OidcError('provider_unavailable', 'not now');
  await expect(revokeGrant(userId)).rejects.toBe(failure);
});

it('asks nothing of a provider that has no OAuth: only the user can end a token of their own', async () => {
  await connect(undefined, 'own');
  await revokeGrant(userId);
  expect(revoked).toEqual([]);
});

it('fails for a provider that the operator has removed', async () => {
  await connect('refresh', 'gone');
  await expect(revokeGrant(userId)).rejects.toMatchObject({ code: 'provider_configuration' });
  expect(revoked).toEqual([]);
});

const connect = (refreshToken: string | undefined, provider = GMAIL) => {
  const tokens = { accessToken: 'access', accessTokenExpiresAt: IN_AN_HOUR, refreshToken, scope: 'mail' };
  return saveProviderTokens(db.database, cipher, userId, tokens, { provider, accountId: null });
};

const revokeGrant = (ofUser: string): Promise<void> => {
  const unused = () => Promise.reject(new Error('not expected'));
  const oauth: OidcProvider = {
    beginLogin: unused,
    redeemCode: unused,
    refresh: unused,
    async revoke(token) {
      if (failure !== undefined) throw failure;
      revoked.push(token);
    },
  };
  const sessionUrl = 'https://jmap.example/session';
  const own = { key: 'own', name: 'Example', sessionUrl, token: true } as const;
  const providers = new Map<string, Provider>([
    [GMAIL, createGmailProvider(oauth)],
    ['own', createJmapProvider({ ...own, scopes: [] }, 'https://app.example/callback')],
  ]);
  return createRevokeGrant({ database: db.database, tokenCipher: cipher, providers })(ofUser);
};

let db: TestDatabase;
let userId: string;
let revoked: string[];
let failure: Error | undefined;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  userId = randomUUID();
  await db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, $1::text, 'ada@example.com')`,
    [userId],
  );
  revoked = [];
  failure = undefined;
});
afterAll(() => db.drop());
