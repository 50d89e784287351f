import { chooseAccount } from '@mailsweep/google-sandbox/testing/sign-in-pages';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ApiHarness, FRONTEND_ORIGIN, startApi } from '../../testing/api-harness.ts';
import { openBrowser } from '../../testing/browser.ts';
import type { Fault } from '../../testing/google-sandbox.ts';

const HOME = `${FRONTEND_ORIGIN}/auth/callback`;
const PROFILE = /\/gmail\/v1\/users\/me\/profile/;

const googleFault = (status: number, reason: string, message = ''): Omit<Fault, 'times'> => ({
  path: PROFILE,
  status,
  body: { error: { code: status, message, errors: [{ reason }] } },
});

describe('a mailbox that cannot be used', () => {
  test.each([
    ['gmail_api_disabled', googleFault(403, 'accessNotConfigured')],
    ['mail_service_disabled', googleFault(400, 'failedPrecondition', 'Mail service not enabled')],
    ['domain_policy', googleFault(403, 'domainPolicy')],
    ['missing_scope', googleFault(403, 'insufficientPermissions')],
  ])('ends the sign-in with %s, and the log has the reason', async (code, fault) => {
    api.google.fail({ ...fault, times: 9 });
    const { location, cookies } = await signIn();

    expect(location).toBe(`${HOME}?error=${code}`);
    expect(cookies.has('session_token')).toBe(false);
    expect(await api.testDatabase.query('SELECT FROM "User"')).toEqual([]);
    expect(api.google.countCalls(PROFILE)).toBe(1);
    expect(api.logLines.join('')).toContain(`Gmail responded with ${fault.status}`);
  });

  test('does not keep a user out who is signed in and signs in once more', async () => {
    const { browser } = await signIn();
    api.google.fail({ ...googleFault(403, 'accessNotConfigured'), times: 9 });
    const url = (await browser.get('/auth/idp?renew=true')).headers.location ?? '';
    const response = await browser.complete(await chooseAccount(url, 'ada@example.com'));

    expect(response.headers.location).toBe(HOME);
  });
});

describe('a transient error', () => {
  test.each([
    ['an outage', googleFault(503, 'backendError')],
    ['too many calls', googleFault(429, 'rateLimitExceeded')],
    ['a used up daily quota', googleFault(403, 'dailyLimitExceeded')],
    ['a 403 of unknown reason', googleFault(403, 'unheardOf')],
  ])('lets the user in: %s', async (_, fault) => {
    api.google.fail({ ...fault, times: 9 });

    expect((await signIn()).location).toBe(HOME);
    expect(api.google.countCalls(PROFILE)).toBe(1);
  });

  test('lets the user in when Gmail does not respond', async () => {
    const { promise: never, resolve } = Promise.withResolvers<void>();
    api.google.fail({ path: PROFILE, times: 1, until: never });

    expect((await signIn()).location).toBe(HOME);
    resolve();
  });
});

const signIn = async () => {
  const browser = openBrowser(api.url);
  const callback = await chooseAccount((await browser.begin()).href, 'ada@example.com');
  const { headers } = await browser.complete(callback);
  return { browser, location: headers.location, cookies: browser.cookies };
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
beforeEach(async () => {
  api.google.heal();
  api.logLines.length = 0;
  await api.testDatabase.query('DELETE FROM "User"');
});
afterAll(() => api.close());
