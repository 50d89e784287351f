import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { MailboxError } from '@mailsweep/mail/mailbox';
import { createLogger } from '@mailsweep/service-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createAccessTokens } from './access-tokens.ts';
import { createTokenCipher } from './encryption/token-cipher.ts';
import { OidcError } from './oidc-error.ts';
import type { OidcProvider, ProviderTokens } from './oidc-provider.ts';
import {
  findProviderConnection,
  leaseRefresh,
  type MailAccount,
  releaseRefresh,
  saveProviderTokens,
} from './provider-connection.repository.ts';
import { createGmailProvider, createJmapProvider, GMAIL, type Provider } from './providers/providers.ts';

const MINUTE_MS = 60_000;
const AT_GMAIL: MailAccount = { provider: GMAIL, accountId: null };
const cipher = createTokenCipher({ current: Buffer.alloc(32, 1) });

describe('an access token', () => {
  it('is the stored one for as long as it is good for more than a minute', async () => {
    await connect({ lifeMs: 2 * MINUTE_MS });
    expect(await open().current()).toBe('access-1');
    expect(refreshed).toEqual([]);
  });

  it('is renewed when it is good for less', async () => {
    await connect({ lifeMs: MINUTE_MS - 1_000 });
    expect(await open().current()).toBe('access-2');
    expect(refreshed).toEqual(['refresh-1']);
    expect(await find()).toMatchObject({ accessToken: 'access-2', refreshToken: 'refresh-1', isDead: false });
  });

  it('is remembered by its source, and by no other', async () => {
    await connect();
    const [source, other] = [open(), open()];
    await source.current();
    await connect({ accessToken: 'access-of-another-process' });
    expect(await source.current()).toBe('access-1');
    expect(await other.current()).toBe('access-of-another-process');
  });

  it('is no longer remembered once it is about to end', async () => {
    await connect({ lifeMs: 2 * MINUTE_MS });
    const source = open();
    expect(await source.current()).toBe('access-1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1.5 * MINUTE_MS });
    onTestFinished(() => void vi.useRealTimers());
    expect(await source.current()).toBe('access-2');
  });

  it('is stored with the refresh token that the provider sends along', async () => {
    await connect({ lifeMs: 0 });
    response = async () => toTokens({ accessToken: 'access-2', refreshToken: 'refresh-2' });
    await open().current();
    expect((await find())?.refreshToken).toBe('refresh-2');
  });

  it('is none where there is no connection, or a dead one', async () => {
    await expectReauthRequired(open().current());
    await connect();
    await db.query('UPDATE "ProviderConnection" SET "reauthRequiredAt" = now()');
    await expectReauthRequired(open().current());
    expect(refreshed).toEqual([]);
  });
});

describe('an access token that the mailbox refused', () => {
  it('is renewed, and forgotten', async () => {
    await connect();
    const source = open();
    expect(await source.current()).toBe('access-1');
    expect(await source.renew('access-1')).toBe('access-2');
    expect(await source.current()).toBe('access-2');
    expect(refreshed).toHaveLength(1);
  });

  it('is not renewed when another has been already', async () => {
    await connect();
    expect(await open().renew('access-0')).toBe('access-1');
    expect(refreshed).toEqual([]);
  });

  it('is renewed when the other one is about to end', async () => {
    await connect({ lifeMs: 0 });
    expect(await open().renew('access-0')).toBe('access-2');
  });
});

describe('a grant without the scope for the mailbox', () => {
  it('ends the connection, also for the source that knew the token', async () => {
    await connect();
    const source = open();
    await source.reportMissingScope?.(await source.current());
    await expectReauthRequired(source.current());
    expect(refreshed).toEqual([]);
  });

  it('does not end the connection when the user has signed in again meanwhile', async () => {
    await connect({ accessToken: 'access-of-a-new-sign-in' });
    const source = open();
    await source.reportMissingScope?.('access-1');
    expect(await source.current()).toBe('access-of-a-new-sign-in');
  });
});

describe('a renewal', () => {
  it('is made once for all who need one, in this process and in others', async () => {
    await connect({ lifeMs: 0 });
    const gate = Promise.withResolvers<void>();
    response = async () => {
      await gate.promise;
      return toTokens({ accessToken: 'access-2' });
    };
    const [here, elsewhere] = [createTokens(), createTokens()];
    const first = Array.from({ length: 3 }, () => here.sourceFor(userId).current());
    await expect.poll(() => refreshed).toHaveLength(1);
    const second = Array.from({ length: 3 }, () => elsewhere.sourceFor(userId).current());
    gate.resolve();
    expect(await Promise.all([...first, ...second])).toEqual(Array(6).fill('access-2'));
    expect(refreshed).toHaveLength(1);
  });

  it('costs the database one lease for all of a process who wait for it', async () => {
    await connect({ lifeMs: 0 });
    const tokens = createTokens();
    await Promise.all(Array.from({ length: 3 }, () => tokens.sourceFor(userId).current()));
    expect(leaseAttempts).toBe(1);
  });

  it('may be made again after the last', async () => {
    await connect({ lifeMs: 0 });
    const tokens = createTokens();
    await tokens.sourceFor(userId).current();
    response = async () => toTokens({ accessToken: 'access-3' });
    expect(await tokens.sourceFor(userId).renew('access-2')).toBe('access-3');
  });

  it('holds the others off for 15 s at most, and no longer than it takes', async () => {
    await connect({ lifeMs: 0 });
    const leases: unknown[] = [];
    response = async () => {
      leases.push(await isLeased('5 seconds'), await isLeased('15 seconds'));
      return toTokens({ accessToken: 'access-2' });
    };
    await open().current();
    expect(leases).toEqual([true, false]);
    expect(await isLeased('0 seconds')).toBe(false);
  });

  it('lets another attempt when it failed, for this user alone', async () => {
    const stranger = await addPerson();
    await saveProviderTokens(db.database, cipher, stranger, toTokens({ accessToken: 'access-1' }), AT_GMAIL);
    await leaseRefresh(db.database, stranger, 60);
    await connect({ lifeMs: 0 });
    response = () => Promise.reject(new Error('disk full'));
    await expect(open().current()).rejects.toThrow('disk full');
    expect(await isLeased('0 seconds')).toBe(false);
    expect(await isLeased('0 seconds', stranger)).toBe(true);
  });

  it('waits for that of another process, and takes its token', async () => {
    await connect({ lifeMs: 0 });
    await leaseRefresh(db.database, userId, 60);
    const waiting = open().current();
    await expect.poll(() => leaseAttempts).toBeGreaterThan(1);
    await connect({ accessToken: 'access-of-another-process' });
    expect(await waiting).toBe('access-of-another-process');
    expect(await isLeased('0 seconds')).toBe(true);
    expect(refreshed).toEqual([]);
  });

  it('is made when that of another process came to nothing', async () => {
    await connect({ lifeMs: 0 });
    await leaseRefresh(db.database, userId, 60);
    const waiting = open().current();
    await expect.poll(() => leaseAttempts).toBeGreaterThan(1);
    expect(refreshed).toEqual([]);
    await releaseRefresh(db.database, userId);
    expect(await waiting).toBe('access-2');
  });

  it('takes over from a process that died of its own', async () => {
    await connect({ lifeMs: 0 });
    await leaseRefresh(db.database, userId, -1);
    expect(await open().current()).toBe('access-2');
  });

  it('is given up when the connection ends meanwhile', async () => {
    await connect({ lifeMs: 0 });
    await leaseRefresh(db.database, userId, 60);
    const givenUp = expectReauthRequired(open().current());
    await expect.poll(() => leaseAttempts).toBeGreaterThan(1);
    await db.query('DELETE FROM "ProviderConnection"');
    await givenUp;
  });
});

describe('a refresh token', () => {
  it('that the provider refuses ends the connection, for this user alone', async () => {
    const stranger = await addPerson();
    await saveProviderTokens(db.database, cipher, stranger, toTokens({ accessToken: 'access-1' }), AT_GMAIL);
    await connect({ lifeMs: 0 });
    response = () => Promise.reject(new OidcError('invalid_grant', 'refused'));
    const error = await expectReauthRequired(open().current());
    expect(error.cause).toMatchObject({ code: 'invalid_grant' });
    expect((await find())?.isDead).toBe(true);
    expect(warnings).toMatchObject([{ level: 40, userId }]);
    expect((await findProviderConnection(db.database, cipher, stranger))?.isDead).toBe(false);
  });

  it('that is missing ends the connection without asking the provider', async () => {
    await connect({ lifeMs: 0, refreshToken: undefined });
    await expectReauthRequired(open().current());
    expect(refreshed).toEqual([]);
    expect((await find())?.isDead).toBe(true);
  });

  it('that is refused after the user signed in again ends nothing', async () => {
    await connect({ lifeMs: 0 });
    response = async () => {
      await connect({ accessToken: 'access-of-new-sign-in' });
      throw new OidcError('invalid_grant', 'refused');
    };
    expect(await open().current()).toBe('access-of-new-sign-in');
    expect((await find())?.isDead).toBe(false);
    expect(warnings).toEqual([]);
  });

  it.each(['provider_error', 'provider_unavailable'] as const)('survives a %s', async (code) => {
    await connect({ lifeMs: 0 });
    response = () => Promise.reject(new OidcError(code, 'not now'));
    const error = await open()
      .current()
      .catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(MailboxError);
    expect(error).toMatchObject({ code: 'mailbox_unavailable', cause: { code } });
    expect((await find())?.isDead).toBe(false);
  });
});

describe('a token that its user made', () => {
  const OWN = { provider: 'own', accountId: 'u1' };
  const LONG = { lifeMs: 36_500 * 24 * 60 * MINUTE_MS, refreshToken: undefined };

  it('is not renewed: once the provider refuses it, the user has to make another', async () => {
    await connect(LONG, OWN);
    const source = open();
    expect(await source.findAccount()).toMatchObject(OWN);
    expect(await source.current()).toBe('access-1');
    await expectReauthRequired(source.renew('access-1'));
    expect(await find()).toMatchObject({ isDead: true, ...OWN });
    expect(refreshed).toEqual([]);
  });

  it('is not refreshed with the refresh token that an earlier sign-in left', async () => {
    await connect({ ...LONG, refreshToken: 'refresh-1' }, OWN);
    await expectReauthRequired(open().renew('access-1'));
    expect(refreshed).toEqual([]);
  });
});

describe('the provider of a connection', () => {
  it('is read with the token', async () => {
    await connect();
    const source = open();
    expect(await source.findAccount()).toMatchObject(AT_GMAIL);
    await db.query('DELETE FROM "ProviderConnection"');
    expect(await source.current()).toBe('access-1');
  });

  it('is Gmail for rows of the version before there were others', async () => {
    await connect();
    const [row] = await db.query<{ token: string }>(
      'DELETE FROM "ProviderConnection" RETURNING "encryptedAccessToken" AS "token"',
    );
    await db.query(
      `INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "accessTokenExpiresAt", "scope")
       VALUES ($1, $2, now() + interval '1 hour', 'mail')`,
      [userId, row?.token],
    );
    expect(await open().findAccount()).toMatchObject(AT_GMAIL);
    expect(await open().current()).toBe('access-1');
  });

  it('keeps the token to itself when the operator has removed it', async () => {
    await connect({}, { provider: 'gone', accountId: 'u1' });
    const source = open();
    for (const attempt of [source.current, () => source.renew('access-1'), source.findAccount])
      await expect(attempt()).rejects.toMatchObject({ code: 'provider_configuration' });
    expect((await find())?.isDead).toBe(false);
  });
});

const toTokens = (tokens: Partial<ProviderTokens> & { accessToken: string }): ProviderTokens => ({
  accessTokenExpiresAt: new Date(Date.now() + 60 * MINUTE_MS),
  refreshToken: undefined,
  scope: 'mail',
  ...tokens,
});

/** Stores a connection as a sign-in does. */
const connect = (
  { lifeMs = 60 * MINUTE_MS, ...tokens }: Partial<ProviderTokens> & { lifeMs?: number } = {},
  account = AT_GMAIL,
) =>
  saveProviderTokens(
    db.database,
    cipher,
    userId,
    {
      accessToken: 'access-1',
      accessTokenExpiresAt: new Date(Date.now() + lifeMs),
      refreshToken: 'refresh-1',
      scope: 'mail',
      ...tokens,
    },
    account,
  );

const find = () => findProviderConnection(db.database, cipher, userId);

const isLeased = async (forAtLeast: string, ofUser = userId): Promise<boolean> => {
  const rows = await db.query(
    `SELECT FROM "ProviderConnection" WHERE "userId" = $1 AND "refreshLeasedUntil" > now() + $2::interval`,
    [ofUser, forAtLeast],
  );
  return rows.length === 1;
};

const expectReauthRequired = async (attempt: Promise<string>): Promise<MailboxError> => {
  const error = await attempt.catch((thrown: unknown) => thrown);
  if (!(error instanceof MailboxError)) throw new Error('no MailboxError', { cause: error });
  expect(error.code).toBe('reauth_required');
  return error;
};

/** The access tokens as one process has them. */
const createTokens = () => {
  const unused = () => Promise.reject(new Error('not expected'));
  const oauth: OidcProvider = {
    beginLogin: unused,
    redeemCode: unused,
    revoke: unused,
    refresh(refreshToken) {
      refreshed.push(refreshToken);
      return response();
    },
  };
  const sessionUrl = 'https://jmap.example/session';
  const own = { key: 'own', name: 'Example', sessionUrl, token: true } as const;
  const providers = new Map<string, Provider>([
    [GMAIL, createGmailProvider(oauth)],
    ['own', createJmapProvider({ ...own, scopes: [] }, 'https://app.example/callback')],
  ]);
  const destination = { write: (line: string) => void warnings.push(JSON.parse(line)) };
  const logger = createLogger({ service: 'test', level: 'warn', destination });
  const database = new Proxy(db.database, {
    get(target, name) {
      // Nothing else of it is raw SQL.
      if (name === '$executeRaw') leaseAttempts += 1;
      return Reflect.get(target, name, target);
    },
  });
  return createAccessTokens({ database, tokenCipher: cipher, providers, logger });
};

const open = () => createTokens().sourceFor(userId);

const addPerson = async (): Promise<string> => {
  const id = randomUUID();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, 'ada@example.com')`, [
    id,
    id,
  ]);
  return id;
};

let db: TestDatabase;
let userId: string;
/** The refresh tokens that the provider was shown. */
let refreshed: string[];
let leaseAttempts: number;
let response: () => Promise<ProviderTokens>;
let warnings: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  userId = await addPerson();
  refreshed = [];
  leaseAttempts = 0;
  warnings = [];
  response = async () => toTokens({ accessToken: 'access-2' });
});
afterAll(() => db.drop());
