import { createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  ADA,
  beginSignIn,
  CLIENT,
  GRACE,
  mailboxOf,
  postToken,
  signIn,
  startSandbox,
} from './testing/test-sandbox.ts';

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

  it('knows people and tokens again after a restart, and across people keeps subjects apart', async () => {
    const before = await startSandbox([mailboxOf()]);
    const tokens = await signIn(before.url);
    const after = await startSandbox([mailboxOf(), { person: GRACE, labels: [], messages: [] }]);
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
    const answer = await postToken(url, { grant_type: 'refresh_token', refresh_token });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: 'invalid_grant' });
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

  it('takes client credentials from a Basic header too', async () => {
    const { url } = await startSandbox([mailboxOf()]);
    const { refresh_token } = await signIn(url);
    const credentials = Buffer.from(`${CLIENT.clientId}:${CLIENT.clientSecret}`).toString('base64');
    const answer = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${credentials}` },
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token }),
    });
    expect(answer.status).toBe(200);
  });

  it('offers the seeded people alone, and a way to refuse', async () => {
    const { url } = await startSandbox([mailboxOf(), { person: GRACE, labels: [], messages: [] }]);
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
