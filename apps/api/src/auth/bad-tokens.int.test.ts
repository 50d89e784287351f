import { SESSION_COOKIE } from '@mailsweep/contracts';
import { deriveKey } from '@mailsweep/mail/provider-connection';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, createProgram, startApi } from '../testing/api-harness.ts';
import { createBadPersonalTokens, createBadTokens } from '../testing/bad-tokens.ts';

describe('R01: a token that is not a live session’s own gets 401, as cookie and as Bearer', () => {
  test('however close it comes to a genuine one', async () => {
    const badTokens = createBadTokens(await createInput());
    expect(badTokens.length).toBeGreaterThanOrEqual(40);

    const accepted: string[] = [];
    for (const [name, token] of [...badTokens, ['nothing at all', ''] as const]) {
      const responses = await Promise.all([
        supertest(api.url).get('/api/v1/me').set('cookie', `${SESSION_COOKIE}=${token}`),
        supertest(api.url).get('/api/v1/me').set('authorization', `Bearer ${token}`),
      ]);
      for (const response of responses) {
        const isRefused = response.status === 401 && response.body.code === 'unauthorized';
        if (!isRefused) accepted.push(`${name}: ${response.status} ${JSON.stringify(response.body)}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  test('whereas the genuine one is let in, both ways', async () => {
    const { genuine } = await createInput();

    await supertest(api.url).get('/api/v1/me').set('cookie', `${SESSION_COOKIE}=${genuine}`).expect(200);
    await supertest(api.url).get('/api/v1/me').set('authorization', `Bearer ${genuine}`).expect(200);
  });

  test('and nothing is logged as an error', () => {
    expect(api.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

describe('R01: a personal access token that is not a live one gets 401', () => {
  test('however close it comes to a genuine one, and a genuine one as a cookie', async () => {
    const [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
    const [live, revoked, ended, erased] = [
      await createProgram(api.url, ada),
      await createProgram(api.url, ada),
      await createProgram(api.url, ada),
      await createProgram(api.url, grace),
    ];
    await ada.delete(`/api/v1/me/tokens/${revoked.id}`).expect(204);
    const { query } = api.testDatabase;
    await query(`UPDATE "PersonalToken" SET "expiresAt" = now() WHERE "id" = $1`, [ended.id]);
    await query('DELETE FROM "User" WHERE "id" = $1', [grace.userId]);
    const badTokens = createBadPersonalTokens({
      genuine: live.secret,
      id: live.id,
      dead: { revoked: revoked.secret, ended: ended.secret, 'of a user who is gone': erased.secret },
    });

    const answers: string[] = [];
    const genuine: [string, string] = ['genuine', live.secret];
    for (const [name, token] of [...badTokens, genuine]) {
      for (const header of [{ authorization: `Bearer ${token}` }, { cookie: `${SESSION_COOKIE}=${token}` }]) {
        const { status, body } = await supertest(api.url).get('/api/v1/me').set(header);
        if (status !== 401 || body.code !== 'unauthorized') answers.push(`${name}: ${status}`);
      }
    }
    expect(answers).toEqual(['genuine: 200']);
    expect(api.logLines.filter((line) => JSON.parse(line).level >= 50)).toEqual([]);
  });
});

const createInput = async () => {
  const [ada, grace, revoked, ended] = [
    await api.signIn(),
    await api.signIn('grace@example.com'),
    await api.signIn(),
    await api.signIn(),
  ];
  await revoked.post('/auth/logout').expect(204);
  const sessionIdOf = (token: string) =>
    JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()).sid as string;
  await api.testDatabase.query(`UPDATE "Session" SET "expiresAt" = now() - interval '1 s' WHERE "id" = $1`, [
    sessionIdOf(ended.token),
  ]);
  const toSession = ({ userId, token }: { userId: string; token: string }) => ({
    userId,
    sessionId: sessionIdOf(token),
  });
  const orphaned = await createOrphan();
  return {
    genuine: ada.token,
    key: deriveKey(Buffer.from(api.env.TOKEN_ENCRYPTION_KEY, 'base64'), 'session'),
    internalSecret: api.env.INTERNAL_JWT_SECRET,
    sessions: { foreign: toSession(grace), revoked: toSession(revoked), ended: toSession(ended), orphaned },
  };
};

/** A session whose user was deleted afterwards. */
const createOrphan = async () => {
  const userId = '019a0000-0000-7000-8000-00000000000a';
  const sessionId = '019a0000-0000-7000-8000-00000000000b';
  const { query } = api.testDatabase;
  await query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'gone', 'gone@example.com')`,
    [userId],
  );
  await query(`INSERT INTO "Session" ("id", "userId", "expiresAt") VALUES ($1, $2, now() + interval '1 h')`, [
    sessionId,
    userId,
  ]);
  await query('DELETE FROM "User" WHERE "id" = $1', [userId]);
  return { userId, sessionId };
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
