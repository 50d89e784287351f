import type { Request } from 'express';
import { describe, expect, test } from 'vitest';
import { createCookiePolicy, readCookie, readPresentedToken } from './session-token.ts';

describe('R02: cookies are Secure', () => {
  test.each([
    ['https://api.example.com', 'lax', true],
    ['https://localhost:3000', 'lax', true],
    ['http://api.example.com', 'lax', true],
    ['http://localhost.example.com', 'lax', true],
    ['http://localhost:3000', 'lax', false],
    ['http://127.0.0.1:3000', 'lax', false],
    ['http://[::1]:3000', 'lax', false],
    ['http://localhost:3000', 'none', true],
  ] as const)('at %s with SameSite %s: %s', (apiUrl, sameSite, secure) => {
    const policy = createCookiePolicy({ apiUrl, sameSite });

    expect(policy.session).toEqual({ httpOnly: true, secure, sameSite, path: '/' });
    expect(policy.login).toEqual({ httpOnly: true, secure, sameSite: 'lax', path: '/' });
  });

  test.each([
    ['https://api.example.com', '__Host-login_binding'],
    ['https://localhost:3000', '__Host-login_binding'],
    ['http://localhost:3000', 'login_binding'],
  ])('the login cookie at %s is called %s', (apiUrl, name) => {
    expect(createCookiePolicy({ apiUrl, sameSite: 'lax' }).loginName).toBe(name);
  });

  test('the login cookie stays Lax, or it would not come back from the provider', () => {
    const policy = createCookiePolicy({ apiUrl: 'https://api.example.com', sameSite: 'strict' });

    expect(policy.session.sameSite).toBe('strict');
    expect(policy.login.sameSite).toBe('lax');
  });
});

describe('the token of a request', () => {
  test.each([
    ['nothing', {}, { kind: 'none' }],
    ['an empty cookie', { cookie: 'session_token=' }, { kind: 'none' }],
    ['other cookies', { cookie: 'a=b; xsession_token=c' }, { kind: 'none' }],
    ['a cookie', { cookie: 'a=b; session_token=abc; c=d' }, { kind: 'cookie', token: 'abc' }],
    ['two cookies', { cookie: 'session_token=abc; session_token=abc' }, { kind: 'ambiguous' }],
    ['two cookies, one empty', { cookie: 'session_token=; session_token=abc' }, { kind: 'ambiguous' }],
    ['a Bearer token', { authorization: 'Bearer abc' }, { kind: 'bearer', token: 'abc' }],
    ['a bearer token in lower case', { authorization: 'bearer abc' }, { kind: 'bearer', token: 'abc' }],
    ['both', { authorization: 'Bearer abc', cookie: 'session_token=def' }, { kind: 'bearer', token: 'abc' }],
    ['a Bearer without token', { authorization: 'Bearer ' }, { kind: 'ambiguous' }],
    ['a scheme that only ends in Bearer', { authorization: 'NotBearer abc' }, { kind: 'ambiguous' }],
    ['two Bearer tokens', { authorization: 'Bearer abc def' }, { kind: 'ambiguous' }],
    [
      'another scheme beside a cookie',
      { authorization: 'Basic abc', cookie: 'session_token=d' },
      { kind: 'ambiguous' },
    ],
  ])('is read from %s', (_name, headers, expected) => {
    expect(readPresentedToken({ headers } as Request)).toEqual(expected);
  });
});

describe('a cookie', () => {
  test.each([
    ['a=b; login_binding=abc', 'abc'],
    ['a=b', undefined],
    [undefined, undefined],
  ])('is read from %j', (cookie, value) => {
    expect(readCookie({ headers: { cookie } } as Request, 'login_binding')).toBe(value);
  });
});
