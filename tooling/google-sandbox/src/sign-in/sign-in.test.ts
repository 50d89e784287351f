import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { get } from 'node:http';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { chooseAccount, submitForm } from '../testing/sign-in-pages.ts';
import {
  ADA,
  beginSignIn,
  CLIENT,
  changeBehaviour,
  GRACE,
  mailboxOf,
  orderFault,
  postToken,
  signIn,
  startSandbox,
  toAuthorizationUrl,
} from '../testing/test-sandbox.ts';

const claimsOf = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());

const profileStatus = async (url: string, token: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${url}/gmail/v1/users/me/profile`, { headers })).status;
};

describe('signing in at the sandbox', () => {
  it('advertises endpoints under its own address alone', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const response = await fetch(`${url}/.well-known/openid-configuration`);
    const document = (await response.json()) as Record<string, unknown>;
    expect(document.issuer).toBe(url);
    const addresses = Object.entries(document).filter(([name]) => /_endpoint$|_uri$/.test(name));
    expect(addresses.length).toBeGreaterThan(3);
    for (const [, address] of addresses) expect(address).toMatch(`${url}/`);
  });

  it('gives an ID token of its own issuer that its published key verifies', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { id_token } = await signIn(url);
    expect(claimsOf(id_token)).toMatchObject({
      iss: url,
      aud: CLIENT.clientId,
      nonce: 'a-nonce',
      email: ADA.email,
    });
    const { keys } = (await (await fetch(`${url}/oauth2/v3/certs`)).json()) as { keys: JsonWebKey[] };
    const [head, body, signature = ''] = id_token.split('.');
    const key = createPublicKey({ key: keys[0] ?? {}, format: 'jwk' });
    expect(
      verify('RSA-SHA256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url')),
    ).toBe(true);
  });

  it('grants the mail scope and a refresh token that gives new access tokens', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const tokens = await signIn(url);
    expect(tokens.scope.split(' ')).toContain('https://www.googleapis.com/auth/gmail.modify');
    const response = await postToken(url, {
      grant_type: 'refresh_token',
      refresh_token: tokens.refresh_token,
    });
    const renewed = (await response.json()) as { access_token: string; scope: string };
    expect(renewed.scope).toBe(tokens.scope);
    expect(await profileStatus(url, renewed.access_token)).toBe(200);
  });

  it('knows users and tokens again after a restart, and gives each user a subject of its own', async () => {
    const before = await startSandbox([mailboxOf()]);
    const tokens = await signIn(before.url);
    const after = await startSandbox([mailboxOf(), { user: GRACE, labels: [], messages: [] }]);
    expect(await profileStatus(after.url, tokens.access_token)).toBe(200);
    const subject = claimsOf(tokens.id_token).sub;
    expect(claimsOf((await signIn(after.url)).id_token).sub).toBe(subject);
    expect(claimsOf((await signIn(after.url, GRACE.email)).id_token).sub).not.toBe(subject);
  });

  it('refuses access tokens that are expired, forged or revoked', async () => {
    let nowMs = Date.now();
    const { url } = await startSandbox([mailboxOf()], { nowMs: () => nowMs, accessTokenTtlSeconds: 60 });
    const { access_token, refresh_token } = await signIn(url);
    expect(await profileStatus(url, access_token)).toBe(200);
    expect(await profileStatus(url, `${access_token.slice(0, -6)}AAAAAA`)).toBe(401);
    expect(await profileStatus(url, refresh_token)).toBe(401);
    nowMs += 61_000;
    expect(await profileStatus(url, access_token)).toBe(401);
    await fetch(`${url}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: refresh_token }),
    });
    const response = await postToken(url, { grant_type: 'refresh_token', refresh_token });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: 'invalid_grant' });
  });

  it('refuses a client whose secret is wrong, for codes and for refresh tokens', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { refresh_token } = await signIn(url);
    const wrong = { client_secret: 'wrong' };
    expect((await postToken(url, { grant_type: 'refresh_token', refresh_token, ...wrong })).status).toBe(401);
    expect((await postToken(url, { grant_type: 'authorization_code', code: 'x', ...wrong })).status).toBe(
      401,
    );
  });

  it('offers the set-up to who comes by its own name', async () => {
    const { url } = await startSandbox([mailboxOf()], { setupUrl: 'http://127.0.0.1:1/a-token/' });
    const showPage = (headers: Record<string, string>) =>
      new Promise<string>((resolve, reject) => {
        const address = toAuthorizationUrl(url, beginSignIn().query);
        get(address, { headers }, (response) => void text(response).then(resolve, reject)).on(
          'error',
          reject,
        );
      });
    expect(await showPage({})).toContain('href="http://127.0.0.1:1/a-token/"');
    expect(await showPage({ host: 'evil.example' })).not.toContain('a-token');
  });

  it('takes client credentials from a Basic header too', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { refresh_token } = await signIn(url);
    const credentials = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
    const response = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
    });
    expect(response.status).toBe(200);
  });

  it('offers the seeded users alone, and a way to refuse', async () => {
    const { url } = await startSandbox([mailboxOf(), { user: GRACE, labels: [], messages: [] }]);
    const { query } = beginSignIn();
    const html = await (await fetch(`${url}/o/oauth2/v2/auth?${query}`)).text();
    const offered = [...html.matchAll(/name="email" value="([^"]+)"/g)].map(([, email]) => email);
    expect(offered).toEqual([ADA.email, GRACE.email]);
    const href = html.match(/id="deny"[^>]*href="([^"]+)"/)?.[1]?.replaceAll('&#38;', '&') ?? '';
    expect(href).toBe('http://localhost:3000/auth/idp/callback?error=access_denied&state=a-state');
  });

  it('does not let a program in that asked for no mail scope', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { access_token } = await signIn(url, ADA.email, 'openid email');
    expect(await profileStatus(url, access_token)).toBe(403);
  });
});

const TWO_MAILBOXES = [mailboxOf(), { user: GRACE, labels: [], messages: [] }];
const MAIL_SCOPE = 'https://www.googleapis.com/auth/gmail.modify';

/** Shows the page of a sign-in with more in its query. */
const openPage = (url: string, more: Record<string, string>) => {
  const { query } = beginSignIn();
  for (const [name, value] of Object.entries(more)) query.set(name, value);
  return fetch(`${url}/o/oauth2/v2/auth?${query}`, { redirect: 'manual' });
};

describe('the way through the sign-in pages', () => {
  it('ends with the issuer, the granted scopes and the account’s place in the callback', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { query } = beginSignIn();
    const callback = await chooseAccount(toAuthorizationUrl(url, query), ADA.email);
    expect(Object.fromEntries(callback.searchParams)).toEqual({
      code: expect.any(String),
      state: 'a-state',
      iss: url,
      scope: query.get('scope'),
      authuser: '0',
      hd: 'example.com',
      prompt: 'consent',
    });
  });

  it('grants no mail scope unless its box is ticked, which it is not', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const chooser = await (await openPage(url, {})).text();
    const consent = await (await submitForm(url, chooser, `value="${ADA.email}"`)).text();
    const box = consent.match(/<input type="checkbox"[^>]*>/)?.[0] ?? '';
    expect(box).toContain(MAIL_SCOPE);
    expect(box).not.toContain('checked');
    const response = await submitForm(url, consent.replace(box, ''), 'value="given"');
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(searchParams.get('scope')).toBe('openid email profile');
  });

  it('shows the box ticked where it is set to', async () => {
    const { url } = await startSandbox([mailboxOf()], { behaviour: { mailBoxTicked: true } });
    const consent = await (await openPage(url, { login_hint: ADA.email })).text();
    expect(consent).toMatch(/<input type="checkbox"[^>]* checked/);
  });

  it('skips the choice of an account for a hint, unless that choice is asked for', async () => {
    const { url } = await startSandbox(TWO_MAILBOXES);
    const isChooser = async (more: Record<string, string>) =>
      (await (await openPage(url, more)).text()).includes('class="user-form"');
    expect(await isChooser({ login_hint: GRACE.email })).toBe(false);
    expect(await isChooser({ login_hint: 'nobody@example.com' })).toBe(true);
    expect(await isChooser({ login_hint: GRACE.email, prompt: 'select_account' })).toBe(true);
  });

  it('skips consent the second time, unless it is asked for, and after the grant was taken back', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const first = await signIn(url);
    expect((await openPage(url, { login_hint: ADA.email })).status).toBe(302);
    expect((await openPage(url, { login_hint: ADA.email, prompt: 'consent' })).status).toBe(200);
    await fetch(`${url}/oauth2/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: first.refresh_token }),
    });
    expect((await openPage(url, { login_hint: ADA.email })).status).toBe(200);
  });
});

describe('refresh tokens of the sandbox', () => {
  it('come with consent alone', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    expect((await signIn(url)).refresh_token).toBeDefined();
    expect((await signIn(url)).refresh_token).toBeUndefined();
    await changeBehaviour(url, { refreshTokenOnConsentOnly: false });
    expect((await signIn(url)).refresh_token).toBeDefined();
  });

  it('expire after seven days where the program is set to be in testing', async () => {
    let nowMs = Date.now();
    const { url } = await startSandbox([mailboxOf()], {
      nowMs: () => nowMs,
      behaviour: { refreshTokenTtlSeconds: 604_800 },
    });
    const { refresh_token } = await signIn(url);
    const renew = async () => (await postToken(url, { grant_type: 'refresh_token', refresh_token })).json();
    nowMs += 604_799_000;
    expect(await renew()).toMatchObject({ token_type: 'Bearer' });
    nowMs += 1_000;
    expect(await renew()).toEqual({
      error: 'invalid_grant',
      error_description: 'Token has been expired or revoked.',
    });
  });

  it.each([
    [true, 400],
    [false, 200],
  ])('can be revoked once; a second time is refused: %s', async (revokeRefusesDeadTokens, status) => {
    const { url } = await startSandbox([mailboxOf()], { behaviour: { revokeRefusesDeadTokens } });
    const { refresh_token } = await signIn(url);
    const revoke = () =>
      fetch(`${url}/oauth2/revoke`, {
        method: 'POST',
        body: new URLSearchParams({ token: refresh_token }),
      });
    expect((await revoke()).status).toBe(200);
    expect((await revoke()).status).toBe(status);
  });
});

describe('faults of the sign-in', () => {
  it.each([
    ['invalid_rapt', 400, { error: 'invalid_grant', error_subtype: 'invalid_rapt' }],
    ['invalid_client', 401, { error: 'invalid_client' }],
    ['deleted_client', 401, { error: 'deleted_client' }],
    ['policy_enforced', 400, { error: 'policy_enforced' }],
  ])('refuse a renewal with %s', async (kind, status, body) => {
    const { url } = await startSandbox([mailboxOf()]);
    const { refresh_token } = await signIn(url);
    await orderFault(url, { kind, path: '^/oauth2/token$' });
    const response = await postToken(url, { grant_type: 'refresh_token', refresh_token });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject(body);
  });

  it.each([
    ['admin_policy_page', 400],
    ['access_denied_page', 403],
  ])('end it at Google: %s', async (kind, status) => {
    const { url } = await startSandbox([mailboxOf()]);
    await orderFault(url, { kind, path: '^/o/oauth2/v2/auth$' });
    const response = await openPage(url, {});
    expect(response.status).toBe(status);
    expect(response.headers.get('content-type')).toContain('text/html');
  });

  it.each([
    ['admin_policy_redirect', 'admin_policy_enforced'],
    ['access_denied', 'access_denied'],
  ])('send the browser back: %s', async (kind, error) => {
    const { url } = await startSandbox([mailboxOf()]);
    await orderFault(url, { kind, path: '^/o/oauth2/v2/auth$' });
    const response = await openPage(url, {});
    const { searchParams } = new URL(response.headers.get('location') ?? '');
    expect(Object.fromEntries(searchParams)).toEqual({ error, state: 'a-state' });
  });
});
