import { MeSchema } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, startApi } from '../testing/api-harness.ts';

describe('GET /api/v1/me', () => {
  test('tells who is signed in, until when, and that the mailbox can be reached', async () => {
    const ada = await api.signIn();
    const { body } = await ada.get('/api/v1/me').expect(200);

    expect(body).toEqual({
      userId: ada.userId,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      connection: 'active',
      sessionExpiresAt: expect.stringMatching(/Z$/),
    });
    expect(MeSchema.parse(body)).toEqual(body);
  });

  test('says when the person has to sign in again to reach the mailbox', async () => {
    const ada = await api.signIn();
    await api.testDatabase.query('DELETE FROM "ProviderConnection"');

    expect((await ada.get('/api/v1/me').expect(200)).body.connection).toBe('reauth_required');
    expect((await ada.get('/api/v1/emails').expect(401)).body.code).toBe('reauth_required');
  });

  test('a deleted person is nobody: 401', async () => {
    const ada = await api.signIn();
    await api.testDatabase.query('DELETE FROM "User"');

    expect((await ada.get('/api/v1/me').expect(401)).body.code).toBe('unauthorized');
  });
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
