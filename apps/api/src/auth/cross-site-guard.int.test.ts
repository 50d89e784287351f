import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import supertest from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiClient,
  type ApiHarness,
  createProgram,
  FRONTEND_ORIGIN,
  startApi,
} from '../testing/api-harness.ts';

const action = { emailIds: ['one'], action: 'archive' };

describe('R12: a request that another site makes a browser send with our cookie', () => {
  test.each([
    'https://evil.example',
    'null',
    'http://localhost:5174',
    'https://localhost:5173',
    'http://localhost:5173.evil.example',
    'http://LOCALHOST:5173 ',
    '',
  ])('is refused before any work when its origin is %j', async (origin) => {
    const response = await ada.post('/api/v1/inbox/actions', action).set('origin', origin);

    expect(response.status).toBe(403);
    expect(response.body.code).toBe('cross_site_request');
    expect(api.google.calls).toEqual([]);
    expect(await api.testDatabase.query('SELECT FROM "ActionHistory"')).toEqual([]);
  });

  test('is refused on every route, even one that only reads', async () => {
    expect(ROUTES.length).toBeGreaterThan(60);
    for (const { method, path } of ROUTES) {
      const send = (header: Record<string, string>) => ada[method](path).set(header);
      for (const header of [
        { origin: 'https://evil.example' },
        ...['cross-site', 'same-site', 'unheard-of'].map((site) => ({ 'sec-fetch-site': site })),
      ]) {
        const { status, body, headers } = await send(header);
        expect({ method, path, status, code: body.code }).toEqual({
          method,
          path,
          status: 403,
          code: 'cross_site_request',
        });
        expect(headers).not.toHaveProperty('access-control-allow-origin');
      }
      // A client with a Bearer token is no browser that was tricked: its token alone counts, and here is none.
      const program = supertest(api.url)[method](path).set('origin', 'https://evil.example');
      expect((await program.auth('x', { type: 'bearer' })).status).toBe(401);
    }
    expect(api.google.calls).toEqual([]);
    expect(api.ml.calls).toEqual([]);
  });

  test('can’t sign the user out either', async () => {
    await ada.post('/auth/logout').set('origin', 'https://evil.example').expect(403);
    await ada.get('/api/v1/me').expect(200);
  });

  test('is let through when it carries a Bearer token, which no browser adds by itself', async () => {
    const program = await createProgram(api.url, ada, 'read');
    for (const token of [ada.token, program.secret]) {
      for (const cookie of ['', ada.cookie]) {
        await supertest(api.url)
          .get('/api/v1/emails')
          .auth(token, { type: 'bearer' })
          .set({ cookie, origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' })
          .expect(200);
      }
    }
  });

  test('gains nothing from an empty or foreign authorization header beside the cookie', async () => {
    for (const authorization of ['Bearer', 'Bearer ', 'Basic YTpi', 'Bearer x', 'Bearer msw_', 'msw_']) {
      const response = await ada
        .post('/api/v1/inbox/actions', action)
        .set({ origin: 'https://evil.example', authorization });
      expect([401, 403]).toContain(response.status);
    }
    expect(api.google.calls).toEqual([]);
  });
});

describe('a request with the session cookie', () => {
  test.each([FRONTEND_ORIGIN, 'http://localhost:3000'])('is served for the origin %s', async (origin) => {
    await ada.get('/api/v1/me').set('origin', origin).expect(200);
  });

  test('is served for the front end on a sibling host, whose fetches name their origin', async () => {
    await ada.get('/api/v1/me').set({ origin: FRONTEND_ORIGIN, 'sec-fetch-site': 'same-site' }).expect(200);
  });

  test('is served without an origin, as from the address bar or a script', async () => {
    await ada.get('/api/v1/me').expect(200);
    await ada.get('/api/v1/me').set('sec-fetch-site', 'none').expect(200);
    await ada.get('/api/v1/me').set('sec-fetch-site', 'same-origin').expect(200);
  });
});

describe('CORS', () => {
  test('R12: allows exactly the front end, with credentials', async () => {
    const response = await ada.get('/api/v1/me').set('origin', FRONTEND_ORIGIN).expect(200);

    expect(response.headers).toMatchObject({
      'access-control-allow-origin': FRONTEND_ORIGIN,
      'access-control-allow-credentials': 'true',
      vary: expect.stringContaining('Origin'),
    });
    expect(response.headers['access-control-expose-headers']?.split(',')).toEqual(
      expect.arrayContaining(['x-request-id', 'retry-after', 'ratelimit-remaining', 'deprecation', 'sunset']),
    );
  });

  test.each(['https://evil.example', 'null', 'http://localhost:3000', `${FRONTEND_ORIGIN}.evil.example`])(
    'R12: allows %s nothing',
    async (origin) => {
      for (const path of ['/api/v1/health', '/api/v1/me', '/openapi.json', '/auth/idp']) {
        const response = await supertest(api.url).get(path).set('origin', origin);
        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      }
    },
  );

  test('lets the front end send JSON and Bearer tokens after a preflight', async () => {
    const response = await supertest(api.url).options('/api/v1/inbox/actions').set({
      origin: FRONTEND_ORIGIN,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type,authorization',
    });

    expect(response.status).toBe(204);
    expect(response.headers).toMatchObject({
      'access-control-allow-origin': FRONTEND_ORIGIN,
      'access-control-allow-methods': 'GET,POST,PUT,PATCH,DELETE',
      'access-control-allow-headers':
        'content-type,authorization,x-request-id,traceparent,if-none-match,Idempotency-Key,Mailsweep-User,Mailsweep-Mailbox',
    });
  });

  test('errors carry the headers too, or the front end could not read them', async () => {
    const response = await supertest(api.url).get('/api/v1/me').set('origin', FRONTEND_ORIGIN).expect(401);
    expect(response.headers['access-control-allow-origin']).toBe(FRONTEND_ORIGIN);
  });
});

describe('R12: a body that a plain HTML form could have sent', () => {
  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
  ])('gets 415 as %s, on every route that changes something', async (type) => {
    for (const { method, path } of CHANGING_ROUTES) {
      const response = await ada[method](path).set('content-type', type).send(JSON.stringify(action));
      expect({ method, path, status: response.status }).toEqual({ method, path, status: 415 });
      expect(response.body.code).toBe('unsupported_media_type');
    }
    await ada.get('/api/v1/me').expect(200);
    expect(api.google.calls).toEqual([]);
  });

  test('gets 415 when it names no type at all', async () => {
    const response = await fetch(`${api.url}/api/v1/inbox/actions`, {
      method: 'POST',
      headers: { cookie: ada.cookie },
      body: new Blob([JSON.stringify(action)]),
    });
    expect(response.status).toBe(415);
  });
});

describe('every response', () => {
  test('carries security headers, and none that names the software', async () => {
    const response = await supertest(api.url).get('/api/v1/health').expect(200);

    expect(response.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'SAMEORIGIN',
      'referrer-policy': 'no-referrer',
      'content-security-policy': expect.stringContaining("default-src 'self'"),
    });
    expect(response.headers).not.toHaveProperty('x-powered-by');
  });
});

const ROUTES = Object.values<RouteContract>(API_ROUTES)
  .filter(({ access }) => access !== 'public')
  .map(({ method, path }) => ({
    method,
    path: path.replaceAll(/\{\w+\}/g, '019a0000-0000-7000-8000-000000000000'),
  }));
const CHANGING_ROUTES = [
  ...ROUTES.filter(({ method }) => method !== 'get'),
  { method: 'post' as const, path: '/auth/logout' },
];

let api: ApiHarness;
let ada: ApiClient;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [{ id: 'one' }] } });
  ada = await api.signIn();
});
beforeEach(() => api.google.heal());
afterAll(() => api.close());
