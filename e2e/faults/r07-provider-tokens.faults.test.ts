import { randomBytes } from 'node:crypto';
import { createTokenCipher } from '@mailsweep/provider-connection';
import { beforeAll, describe, expect, it } from 'vitest';
import { openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

const GRACE = 'grace@example.com';
const EMAILS = '/api/v1/emails';
const SLOW_REFRESH_MS = 2_000;

interface Connection {
  userId: string;
  encryptedAccessToken: string;
  encryptedRefreshToken: string;
}

const rows = { r07: openRow('R07'), r08: openRow('R08'), r09: openRow('R09') };

describe('the provider’s tokens, on two replicas', () => {
  it('R07, R08 twenty requests with an expired token renew it once, and the refresh token stays', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const before = await readConnection(ada.userId);
    await expire(ada.userId);
    // So slow that every request finds the token expired, on both replicas.
    await stack.google.fail({
      kind: 'delay',
      path: 'token',
      method: 'POST',
      times: 1,
      delayMs: SLOW_REFRESH_MS,
    });
    await stack.google.forgetCalls();
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, index) => ada.ask(EMAILS, { of: stack.apis[index % 2] })),
    );
    rows.r07.ran(responses.length);
    rows.r08.ran();
    for (const { tookMs } of responses) rows.r07.responded(tookMs);
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200));
    expect(await countRefreshes()).toBe(1);
    const after = await readConnection(ada.userId);
    expect(after.encryptedAccessToken).not.toBe(before.encryptedAccessToken);
    expect(after.encryptedRefreshToken).toBe(before.encryptedRefreshToken);
  });

  it('R07 a transient error of the provider is retried', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    await expire(ada.userId);
    await stack.google.fail({ kind: 'unavailable', path: 'token', method: 'POST', times: 2 });
    await stack.google.forgetCalls();
    rows.r07.ran();
    expect((await ada.ask(EMAILS)).status).toBe(200);
    expect(await countRefreshes()).toBe(3);
  });

  it('R07 a refused refresh token ends the connection, without another try, until the next sign-in', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    // The provider knows no such refresh token: it responds with invalid_grant.
    await stack.query('UPDATE "ProviderConnection" SET "encryptedRefreshToken" = $2 WHERE "userId" = $1', [
      ada.userId,
      cipher().encrypt('1//no-such-token', ada.userId),
    ]);
    await expire(ada.userId);
    await stack.google.forgetCalls();
    for (const of of [...stack.apis, ...stack.apis]) {
      rows.r07.ran();
      expect(await ada.ask(EMAILS, { of })).toMatchObject({ status: 401, body: { code: 'reauth_required' } });
    }
    expect(await countRefreshes()).toBe(1);
    expect((await ada.ask('/api/v1/me')).body.connection).toBe('reauth_required');
    expect((await (await stack.signIn()).ask(EMAILS)).status).toBe(200);
  });

  it('R09 a stored token that was moved or altered opens nothing', async () => {
    explainFailure(stack);
    const [ada, grace] = [await stack.signIn(), await stack.signIn(GRACE)];
    const stored = await readConnection(ada.userId);
    const foreign = await readConnection(grace.userId);
    const flipped = (text: string, at: number) =>
      text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
    const bad = [
      foreign.encryptedAccessToken,
      flipped(stored.encryptedAccessToken, 20),
      flipped(stored.encryptedAccessToken, stored.encryptedAccessToken.length - 4),
      `${stored.encryptedAccessToken}.`,
      stored.encryptedAccessToken.slice(0, -4),
    ];
    await stack.google.forgetCalls();
    for (const text of bad) {
      await stack.query('UPDATE "ProviderConnection" SET "encryptedAccessToken" = $2 WHERE "userId" = $1', [
        ada.userId,
        text,
      ]);
      rows.r09.ran();
      const response = await ada.ask(EMAILS);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.text).not.toContain(plainTokenOf(stored));
    }
    expect((await stack.google.listCalls()).filter(({ path }) => path.startsWith('/gmail/'))).toEqual([]);
    expect((await (await stack.signIn()).ask(EMAILS)).status).toBe(200);
  });

  it('R09 under a new key the old texts are still read, and the next write uses the new one', async () => {
    explainFailure(stack);
    const ada = await stack.signIn();
    const newKey = randomBytes(32);
    const rotated = {
      TOKEN_ENCRYPTION_KEY: newKey.toString('base64'),
      TOKEN_ENCRYPTION_KEY_PREVIOUS: stack.secrets.TOKEN_ENCRYPTION_KEY,
    };
    for (const api of stack.apis) {
      await api.stop();
      await api.start(rotated);
    }
    rows.r09.ran();
    expect((await ada.ask(EMAILS)).status).toBe(200);
    await expire(ada.userId);
    expect((await ada.ask(EMAILS, { of: stack.apis[1] })).status).toBe(200);
    const { encryptedAccessToken } = await readConnection(ada.userId);
    expect(createTokenCipher({ current: newKey }).decrypt(encryptedAccessToken, ada.userId)).toMatch(/./);
    expect(() => cipher().decrypt(encryptedAccessToken, ada.userId)).toThrow();
  });

  const cipher = () =>
    createTokenCipher({ current: Buffer.from(stack.secrets.TOKEN_ENCRYPTION_KEY, 'base64') });
  const plainTokenOf = ({ encryptedAccessToken, userId }: Connection): string =>
    cipher().decrypt(encryptedAccessToken, userId);

  const readConnection = async (userId: string): Promise<Connection> => {
    const [connection] = await stack.query<Connection>(
      'SELECT * FROM "ProviderConnection" WHERE "userId" = $1',
      [userId],
    );
    if (connection === undefined) throw new Error('there is no connection');
    return connection;
  };
  const expire = (userId: string) =>
    stack.query(
      `UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() - interval '1 s' WHERE "userId" = $1`,
      [userId],
    );
  const countRefreshes = async (): Promise<number> =>
    (await stack.google.listCalls()).filter(({ path }) => path.includes('token')).length;

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      apis: 2,
      workers: 0,
      mail: { [ADA]: mails(2), [GRACE]: mails(2, 'grace') },
    });
  });
});
