import { GuardedCallError } from '@mailsweep/service-kit/guarded-calls';
import supertest from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, startApi } from '../testing/api-harness.ts';

const GOOGLE = { key: 'gmail', name: 'Google', kind: 'gmail', offersReadOnly: true, signIn: 'redirect' };
const HOME = { key: 'home', name: 'Our mail server', kind: 'jmap', offersReadOnly: false, signIn: 'token' };

describe('GET /api/v1/providers', () => {
  test('lists the providers to everybody, Google first', async () => {
    const { url } = await api.startReplica({ OAUTH_ISSUER: 'https://accounts.google.com' });
    const { body } = await supertest(url).get('/api/v1/providers').expect(200);
    expect(body).toEqual({ data: [GOOGLE, HOME] });
  });

  test('lists what stands in for Google last', async () => {
    const { body } = await supertest(api.url).get('/api/v1/providers').expect(200);
    expect(body).toEqual({ data: [HOME, GOOGLE] });
  });

  test('lists those that serve a domain', async () => {
    const ofDomain = async (domain: string) =>
      (await supertest(api.url).get('/api/v1/providers').query({ domain }).expect(200)).body.data;
    expect(await ofDomain('ADA.example')).toEqual([HOME]);
    expect(await ofDomain('grace.example')).toEqual([]);
  });

  test('lists no Google where the operator has no client there', async () => {
    const { url } = await api.startReplica({ OAUTH_CLIENT_ID: '', OAUTH_CLIENT_SECRET: '' });
    const { body } = await supertest(url).get('/api/v1/providers').expect(200);
    expect(body).toEqual({ data: [HOME] });
    const { headers } = await supertest(url).get('/auth/idp').expect(302);
    expect(headers.location).toMatch(/\/sign-in\?provider=home$/);
  });

  test.each(['', 'ada@ada.example', 'ada.example/path', '-', 'a'.repeat(300), 'münchen.example'])(
    'refuses what is no domain: %j',
    async (domain) => {
      const { body } = await supertest(api.url).get('/api/v1/providers').query({ domain }).expect(400);
      expect(body.errors).toMatchObject([{ path: 'domain' }]);
    },
  );

  test('has a limit for each address: it calls others', async () => {
    const strict = await api.startReplica({ AUTH_RATE_LIMIT_PER_MINUTE: '1' });
    await supertest(strict.url).get('/api/v1/providers').expect(200);
    await supertest(strict.url).get('/api/v1/providers').expect(429);
  });
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({
    env: {
      JMAP_PROVIDERS: JSON.stringify([
        { key: 'home', name: HOME.name, sessionUrl: 'https://mail.home.example/jmap/session', token: true },
      ]),
    },
    domainLookup: {
      call: () => Promise.reject(new GuardedCallError('ENOTFOUND')),
      resolveService: async (name) => [
        { name: name === '_jmap._tcp.ada.example' ? 'mail.home.example' : 'mail.grace.example' },
      ],
    },
  });
});
afterAll(() => api.close());
