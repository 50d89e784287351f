import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiHarness, FRONTEND_ORIGIN, startApi } from './testing/api-harness.ts';
import { openBrowser } from './testing/browser.ts';

/** Strings that stand for what must never be written down. */
const CANARY = 'canary-7f3a';
const MAIL = {
  id: 'one',
  from: `Sender ${CANARY}-from <${CANARY}-address@shop.example>`,
  subject: `Subject ${CANARY}-subject`,
  text: `Text ${CANARY}-snippet`,
};

test('R34: neither email nor tokens, codes or cookies get into a log line or a problem document, whatever goes wrong', async () => {
  const secrets = new Set<string>([CANARY]);
  const problems: string[] = [];
  const collect = (reply: { text: string; headers: Record<string, string> }) => {
    if (/problem/.test(reply.headers['content-type'] ?? '')) problems.push(reply.text);
    return reply;
  };

  // Sign in, also with faults on the way, and remember every secret of it.
  const browser = openBrowser(api.url, { 'user-agent': `${CANARY}/1.0 (${CANARY}) Windows` });
  const url = await browser.begin();
  secrets.add(url.searchParams.get('state') ?? '').add(url.searchParams.get('nonce') ?? '');
  const callback = await chooseAccount(url.href, 'ada@example.com');
  secrets.add(callback.searchParams.get('code') ?? '');
  api.google.rewrite({
    path: /^\/oauth2\/token/,
    times: 1,
    change: (reply) => {
      for (const name of ['access_token', 'refresh_token', 'id_token']) secrets.add(String(reply[name]));
      return reply;
    },
  });
  await browser.complete(callback);
  await browser.complete(callback);
  await browser.get(`/auth/idp/callback?error=access_denied&state=${CANARY}&code=${CANARY}`);
  for (const value of browser.cookies.values()) secrets.add(value);

  // Go through every flow, then through its failures.
  const ada = await api.signIn();
  secrets.add(ada.token);
  const everything = async () => {
    for (const path of [
      '/api/v1/emails',
      '/api/v1/suggestions',
      '/api/v1/notifications/history',
      '/api/v1/me',
      '/api/v1/me/sessions',
      '/api/v1/me/audit',
      '/api/v1/me/export',
    ]) {
      collect(await ada.get(path));
    }
    collect(
      await ada.post('/api/v1/notifications/confirm', { emailIds: ['one', 'unknown'], action: 'accept' }),
    );
    collect(await ada.post('/api/v1/inbox/actions', { emailIds: ['one'], action: 'archive' }));
    collect(await ada.get(`/api/v1/emails?pageToken=${CANARY}`));
    collect(
      await ada
        .get(`/api/v1/me?token=${CANARY}`)
        .set('authorization', `Bearer ${CANARY}.${CANARY}.${CANARY}`),
    );
  };
  api.ml.behave(respondWithSuggestions([{ action: 'label', classification: 'bulk', confidence_score: 1 }]));
  await everything();
  await api.google.changeLabels('one', { added: ['INBOX'] });

  api.ml.behave((response, items) => response.writeHead(500).end(JSON.stringify(items)));
  api.google.fail({ path: /modify/, times: 1, status: 403, body: { error: { message: `no ${CANARY}` } } });
  await everything();
  api.ml.behave((response, items) => response.end(`{"oops": ${JSON.stringify(items)}`));
  api.google.fail({
    path: /\/messages\?/,
    times: 1,
    status: 500,
    headers: { 'retry-after': '3600' },
    body: `${CANARY}`,
  });
  await everything();
  await api.testDatabase.query(`
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'no'; END $$;
    CREATE TRIGGER refuse BEFORE INSERT ON "ActionHistory" EXECUTE FUNCTION refuse();`);
  await everything();
  await api.testDatabase.query(
    `UPDATE "ProviderConnection" SET "accessTokenExpiresAt" = now() - interval '1 h'`,
  );
  api.google.fail({
    path: /token/,
    times: 1,
    status: 400,
    body: { error: 'invalid_grant', error_description: CANARY },
  });
  await everything();
  await api.testDatabase.query('ALTER TABLE "ActionIntent" RENAME TO "Elsewhere"');
  collect(await ada.post('/api/v1/notifications/confirm', { emailIds: ['one'], action: 'reject' }));
  await api.testDatabase.query('ALTER TABLE "EmailSuggestion" RENAME TO "Nowhere"');
  collect(await ada.post('/api/v1/notifications/confirm', { emailIds: ['one'], action: 'accept' }));
  collect(await ada.get('/api/v1/suggestions'));

  // The flows did fail, and were logged; and the canary did reach the user it belongs to.
  expect(problems.length).toBeGreaterThanOrEqual(8);
  const written = [...problems, ...api.logLines];
  expect(api.logLines.filter((line) => JSON.parse(line).level >= 40).length).toBeGreaterThanOrEqual(8);
  expect(secrets.size).toBeGreaterThanOrEqual(9);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(8);
    expect(written.filter((line) => line.includes(secret))).toEqual([]);
  }
});

test('the front end’s address is all that a failed sign-in is told', async () => {
  const reply = await openBrowser(api.url).get(`/auth/idp/callback?state=${CANARY}&code=${CANARY}`);

  expect(reply.headers.location).toBe(`${FRONTEND_ORIGIN}/auth/callback?error=invalid_state`);
  expect(reply.text).not.toContain(CANARY);
});

test('log lines carry the request’s id, method, path and status, but no query', async () => {
  api.logLines.length = 0;
  const ada = await api.signIn();
  const reply = await ada
    .get('/api/v1/notifications/events?perPage=7')
    .set('x-request-id', 'request-id-1')
    .expect(200);
  expect(reply.headers['x-request-id']).toBe('request-id-1');

  await expect
    .poll(() => api.logLines.map((line) => JSON.parse(line)))
    .toContainEqual(
      expect.objectContaining({
        level: 30,
        service: 'api',
        requestId: 'request-id-1',
        req: { method: 'GET' },
        path: '/api/v1/notifications/events',
        res: { statusCode: 200 },
        responseTime: expect.any(Number),
      }),
    );
  expect(api.logLines.join('')).not.toContain('perPage');
});

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi({ mail: { 'ada@example.com': [MAIL] } });
});
afterAll(() => api.close());
