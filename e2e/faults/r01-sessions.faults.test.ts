import { createBadTokens } from '@mailsweep/api/testing/bad-tokens';
import { SESSION_COOKIE } from '@mailsweep/contracts';
import { deriveKey } from '@mailsweep/provider-connection';
import { beforeAll, describe, expect, it } from 'vitest';
import { ask } from './harness/ask.ts';
import { eventually, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack, type User } from './harness/fault-stack.ts';
import { sessionIdOf } from './harness/session-id.ts';

const GRACE = 'grace@example.com';
/** Longest life of a session after its end, on any replica, in milliseconds. */
const REVOKED_WITHIN_MS = 1_000;

const rows = { r01: openRow('R01'), r02: openRow('R02'), r03: openRow('R03'), r04: openRow('R04') };

describe('sessions, on two replicas', () => {
  it('R01 no token that is all but right is let in, as cookie or as Bearer, on any replica', async () => {
    explainFailure(stack);
    const genuine = await stack.signIn();
    const foreign = await stack.signIn(GRACE);
    const revoked = await stack.signIn();
    expect((await revoked.ask('/auth/logout', { method: 'POST' })).status).toBe(204);
    const ended = await stack.signIn();
    await stack.query(`UPDATE "Session" SET "expiresAt" = now() - interval '1 s' WHERE "id" = $1`, [
      sessionIdOf(ended),
    ]);
    const orphaned = await stack.signIn('gone@example.com');
    await stack.query('DELETE FROM "User" WHERE "id" = $1', [orphaned.userId]);
    const toSession = (user: User) => ({ userId: user.userId, sessionId: sessionIdOf(user) });

    const badTokens = createBadTokens({
      genuine: genuine.token,
      key: deriveKey(Buffer.from(stack.secrets.TOKEN_ENCRYPTION_KEY, 'base64'), 'session'),
      internalSecret: stack.secrets.INTERNAL_JWT_SECRET,
      sessions: {
        foreign: toSession(foreign),
        revoked: toSession(revoked),
        ended: toSession(ended),
        orphaned: toSession(orphaned),
      },
    });
    expect(badTokens.length).toBeGreaterThanOrEqual(40);
    const letIn: string[] = [];
    for (const [name, token] of [...badTokens, ['nothing at all', ''] as const]) {
      for (const { url } of stack.apis) {
        const responses = await Promise.all([
          ask(`${url}/api/v1/me`, { cookie: `${SESSION_COOKIE}=${token}` }),
          ask(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${token}` } }),
        ]);
        rows.r01.ran(responses.length);
        for (const { status, body } of responses) {
          if (status !== 401 || body?.code !== 'unauthorized') letIn.push(`${name}: ${status}`);
        }
      }
    }
    expect(letIn).toEqual([]);
    expect((await genuine.ask('/api/v1/me')).status).toBe(200);
  });

  it('R02 the cookie is out of reach of scripts and other sites, and small', async () => {
    const begun = await ask(`${stack.api.url}/auth/idp`);
    rows.r02.ran();
    const [login = ''] = begun.headers['set-cookie'] ?? [];
    expect(attributesOf(login)).toMatchObject({ httponly: '', samesite: 'Lax', path: '/' });

    const line = (await signInAndReadCookie()) ?? '';
    expect(attributesOf(line)).toMatchObject({ httponly: '', samesite: 'Lax', path: '/' });
    expect(attributesOf(line)).not.toHaveProperty('domain');
    expect(attributesOf(line)).not.toHaveProperty('secure');
    expect(Buffer.byteLength(line)).toBeLessThanOrEqual(4_096);
  });

  it('R02 the cookie is Secure wherever the API is not plain http on this machine', async () => {
    await stack.apis[1]?.stop();
    await stack.apis[1]?.start({ OAUTH_REDIRECT_URI: 'https://mail.example.com/auth/idp/callback' });
    rows.r02.ran();
    const begun = await ask(`${stack.apis[1]?.url}/auth/idp`);
    expect(attributesOf(begun.headers['set-cookie']?.[0] ?? '')).toHaveProperty('secure');
    await stack.apis[1]?.stop();
    await stack.apis[1]?.start();
  });

  it('R03 two session cookies are one too many, good as both may be', async () => {
    const [one, other] = [await stack.signIn(), await stack.signIn()];
    for (const cookie of [
      `${one.cookie}; ${other.cookie}`,
      `${one.cookie};${one.cookie}`,
      `a=b; ${one.cookie};  ${SESSION_COOKIE}=`,
    ]) {
      rows.r03.ran();
      expect((await ask(`${stack.api.url}/api/v1/me`, { cookie })).status).toBe(401);
    }
    expect((await ask(`${stack.api.url}/api/v1/me`, { cookie: `a=b; ${one.cookie}` })).status).toBe(200);
  });

  it.each([
    ['signed out', async (user: User) => (await user.ask('/auth/logout', { method: 'POST' })).status],
    [
      'revoked by hand',
      (user: User) =>
        stack.query('UPDATE "Session" SET "revokedAt" = now() WHERE "id" = $1', [sessionIdOf(user)]),
    ],
    [
      'ended from another browser',
      async (user: User) => {
        const other = await stack.signIn();
        const path = `/api/v1/me/sessions/${sessionIdOf(user)}`;
        expect((await other.ask(path, { method: 'DELETE' })).status).toBe(204);
      },
    ],
  ])('R04 a session that was %s is over on every replica within a second', async (_name, end) => {
    explainFailure(stack);
    const ada = await stack.signIn();
    // Whatever a replica remembers of a good session, it has remembered now.
    for (const of of [...stack.apis, ...stack.apis])
      expect((await ada.ask('/api/v1/me', { of })).status).toBe(200);
    await end(ada);
    for (const of of stack.apis) {
      rows.r04.ran();
      await eventually(
        async () => expect((await ada.ask('/api/v1/me', { of })).status).toBe(401),
        REVOKED_WITHIN_MS,
      );
    }
  });

  /** The line that sets the session cookie, as the callback sends it. */
  const signInAndReadCookie = async (): Promise<string | undefined> => {
    const { callback, loginCookie } = await stack.beginSignIn(ADA);
    const ended = await ask(callback.href, { cookie: loginCookie });
    return ended.headers['set-cookie']?.find((line) => line.startsWith(`${SESSION_COOKIE}=`));
  };

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({
      apis: 2,
      workers: 0,
      mail: { [ADA]: [], [GRACE]: [], 'gone@example.com': [] },
    });
  });
});

/** The attributes of a Set-Cookie line, names in lower case. */
const attributesOf = (line: string): Record<string, string> =>
  Object.fromEntries(
    line
      .split('; ')
      .slice(1)
      .map((attribute) => {
        const [name = '', value = ''] = attribute.split('=');
        return [name.toLowerCase(), value];
      }),
  );
