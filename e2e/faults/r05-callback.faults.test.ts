import { SignInErrorSchema } from '@mailsweep/contracts';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { ask } from './harness/ask.ts';
import { byForm, openRow } from './harness/campaign.ts';
import { ADA, explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';

const LANDING = 'http://localhost:5173/auth/callback';
const LANDINGS = [LANDING, ...SignInErrorSchema.options.map((code) => `${LANDING}?error=${code}`)];
const QUERIES = byForm(1_000, 5_000);

const rows = { r05: openRow('R05'), r06: openRow('R06') };

describe('the callback of the identity provider', () => {
  it('R05 opens no session, and asks for no token, on a state that is not the browser’s own', async () => {
    explainFailure(stack);
    const mine = await stack.beginSignIn(ADA);
    const others = await stack.beginSignIn(ADA);
    const come = (change: (query: URLSearchParams) => void, cookie = mine.loginCookie) => {
      const callback = new URL(mine.callback);
      change(callback.searchParams);
      rows.r05.ran();
      return ask(callback.href, cookie === '' ? {} : { cookie });
    };
    await stack.google.forgetCalls();
    const refused = [
      await come((query) => query.delete('state')),
      await come((query) => query.set('state', '')),
      await come((query) => query.append('state', query.get('state') ?? '')),
      await come((query) => query.set('state', others.callback.searchParams.get('state') ?? ''), ''),
      await come(() => undefined, ''),
      await come(() => undefined, 'login_binding=x'),
      await come(() => undefined, others.loginCookie),
    ];
    for (const response of refused) expectNoSession(response, 'invalid_state');
    expect(await countTokenCalls()).toBe(0);

    // None of that spoilt the sign-in in flight, and none can follow it.
    const good = await come(() => undefined);
    expect(good).toMatchObject({ status: 302, headers: { location: LANDING } });
    await stack.google.forgetCalls();
    expectNoSession(await come(() => undefined), 'invalid_state');
    expect(await countTokenCalls()).toBe(0);
  });

  it('R05 opens no session after the time is up, for a wrong nonce, or when the user refuses', async () => {
    explainFailure(stack);
    const late = await stack.beginSignIn(ADA);
    await stack.query(`UPDATE "PendingLogin" SET "expiresAt" = now() - interval '1 s'`);
    await stack.google.forgetCalls();
    expectNoSession(await ask(late.callback.href, { cookie: late.loginCookie }), 'login_expired');
    expect(await countTokenCalls()).toBe(0);

    const refused = await stack.beginSignIn(ADA);
    refused.callback.searchParams.delete('code');
    refused.callback.searchParams.set('error', 'access_denied');
    expectNoSession(await ask(refused.callback.href, { cookie: refused.loginCookie }), 'access_denied');
    expect(await countTokenCalls()).toBe(0);

    // The code of one sign-in in the callback of another: its ID token has the other's nonce.
    const [one, other] = [await stack.beginSignIn(ADA), await stack.beginSignIn(ADA)];
    one.callback.searchParams.set('code', other.callback.searchParams.get('code') ?? '');
    expectNoSession(await ask(one.callback.href, { cookie: one.loginCookie }), 'provider_error');
    rows.r05.ran(3);
  });

  it('R05 opens no session for a wrong nonce alone, nor for a stolen code that has the right one', async () => {
    explainFailure(stack);
    const replayed = await stack.beginSignIn(ADA);
    await setNonce(replayed, 'another');
    expectNoSession(await ask(replayed.callback.href, { cookie: replayed.loginCookie }), 'provider_error');

    // The thief's own sign-in expects the nonce of the victim's: only the code verifier is left to tell.
    const [victim, thief] = [await stack.beginSignIn(ADA), await stack.beginSignIn(ADA)];
    const [login] = await stack.query<{ nonce: string }>(
      `SELECT "nonce" FROM "PendingLogin" WHERE ${IS_STATE}`,
      [stateOf(victim)],
    );
    await setNonce(thief, login?.nonce ?? '');
    thief.callback.searchParams.set('code', victim.callback.searchParams.get('code') ?? '');
    expectNoSession(await ask(thief.callback.href, { cookie: thief.loginCookie }), 'provider_error');
    rows.r05.ran(2);
  });

  it('R06 sends the browser to the front end’s /auth/callback, whatever its query holds', async () => {
    explainFailure(stack);
    const { callback, loginCookie } = await stack.beginSignIn(ADA);
    const state = callback.searchParams.get('state') ?? '';
    const sessionsBefore = await stack.query('SELECT * FROM "Session"');
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 40 }),
      fc.constantFrom(
        state,
        'https://evil.example',
        '//evil.example',
        '\r\nLocation: https://evil.example',
        '../..',
      ),
      fc.webUrl(),
    );
    const name = fc.oneof(
      fc.constantFrom(
        'state',
        'code',
        'error',
        'error_description',
        'iss',
        'redirect_uri',
        'next',
        'returnTo',
        'Location',
        'scope',
      ),
      fc.string({ unit: 'binary', maxLength: 10 }),
    );
    const query = fc.oneof(
      fc.array(fc.tuple(name, value), { maxLength: 6 }).map((pairs) => new URLSearchParams(pairs).toString()),
      // As text that is no well-formed query.
      fc.string({ maxLength: 60 }).map((text) => encodeURI(text.toWellFormed()).replaceAll('%25', '%')),
    );
    const batches = fc.array(query, { minLength: 20, maxLength: 20 });
    await fc.assert(
      fc.asyncProperty(batches, async (queries) => {
        const responses = await Promise.all(
          queries.map((text) => ask(`${stack.api.url}/auth/idp/callback?${text}`, { cookie: loginCookie })),
        );
        rows.r06.ran(responses.length);
        for (const response of responses) {
          expect(response.status).toBe(302);
          expect(LANDINGS).toContain(response.headers.location);
        }
      }),
      { numRuns: QUERIES / 20, seed: inject('faultsSeed'), endOnFailure: true },
    );
    expect(await stack.query('SELECT * FROM "Session"')).toEqual(sessionsBefore);
  });

  const IS_STATE = `"stateHash" = encode(sha256(convert_to($1, 'UTF8')), 'hex')`;
  type Login = Awaited<ReturnType<FaultStack['beginSignIn']>>;
  const stateOf = ({ callback }: Login): string => callback.searchParams.get('state') ?? '';
  /** Changes which nonce the API expects. */
  const setNonce = async (login: Login, nonce: string): Promise<void> => {
    const changed = await stack.query(
      `UPDATE "PendingLogin" SET "nonce" = $2 WHERE ${IS_STATE} RETURNING "nonce"`,
      [stateOf(login), nonce],
    );
    expect(changed).toEqual([{ nonce }]);
  };

  const expectNoSession = (response: Awaited<ReturnType<typeof ask>>, code: string) => {
    expect(response.status).toBe(302);
    expect(response.headers.location).toBe(`${LANDING}?error=${code}`);
    expect(String(response.headers['set-cookie'])).not.toContain('session_token');
  };

  const countTokenCalls = async (): Promise<number> =>
    (await stack.google.listCalls()).filter(({ path }) => path.includes('token')).length;

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ workers: 0 });
  });
});
