import type { KeyObject } from 'node:crypto';
import { SESSION_COOKIE } from '@mailsweep/contracts';
import { parseCookie } from 'cookie';
import type { CookieOptions, Request, Response } from 'express';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

const ISSUER = 'mailsweep';
const AUDIENCE = 'mailsweep-session';
const ALGORITHM = 'HS256';

/** Claims we rely on; a token without any of them is no session token. */
const ClaimsSchema = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number(), iat: z.number() });

export interface SessionClaims {
  userId: string;
  sessionId: string;
  /** When the token ends at the latest; the session behind it may end before. */
  expiresAt: Date;
}

/** What a verified token says. */
export interface VerifiedClaims extends SessionClaims {
  issuedAt: Date;
}

/** Tokens whose signature is not computed again; 5,000 take some 4 MB. */
const MAX_KNOWN_TOKENS = 5_000;

/**
 * Signs and verifies the JWT that a client carries as its session token. A signature found right once is right for
 * ever, so it is remembered; the time of expiry is looked at on every call. Whether the session behind a token still
 * lives is not this module's to say.
 *
 * @param keys.current - signs, and verifies what it signed
 * @param keys.previous - verifies only, so that a key rotation ends no session
 */
export const createSessionTokens = (keys: { current: KeyObject; previous?: KeyObject | undefined }) => {
  const known = new LRUCache<string, VerifiedClaims>({ max: MAX_KNOWN_TOKENS });

  const verifySignature = (token: string): VerifiedClaims | null => {
    const claims =
      verifyWith(keys.current, token) ?? (keys.previous ? verifyWith(keys.previous, token) : null);
    if (claims !== null) known.set(token, claims);
    return claims;
  };

  return {
    sign: ({ userId, sessionId, expiresAt }: SessionClaims): string =>
      jwt.sign({ sid: sessionId, exp: Math.floor(expiresAt.getTime() / 1_000) }, keys.current, {
        algorithm: ALGORITHM,
        issuer: ISSUER,
        audience: AUDIENCE,
        subject: userId,
      }),
    /** @returns null for whatever is not a valid, unexpired session token of ours */
    verify(token: string): VerifiedClaims | null {
      const claims = known.get(token);
      if (claims === undefined) return verifySignature(token);
      return claims.expiresAt.getTime() > Date.now() ? claims : null;
    },
  };
};

const verifyWith = (key: KeyObject, token: string): VerifiedClaims | null => {
  try {
    const { header, payload } = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      complete: true,
    });
    // We support no extensions, so a token that requires one is refused (RFC 7515, section 4.1.11).
    if ('crit' in header) return null;
    const { sub, sid, exp, iat } = ClaimsSchema.parse(payload);
    return {
      userId: sub,
      sessionId: sid,
      expiresAt: new Date(exp * 1_000),
      issuedAt: new Date(iat * 1_000),
    };
  } catch {
    // The library also throws SyntaxError and TypeError for malformed tokens.
    return null;
  }
};

export type SessionTokens = ReturnType<typeof createSessionTokens>;

/** Cookie that binds a sign-in in flight to the browser that began it. */
const LOGIN_COOKIE = 'login_binding';

/** Attributes shared by our cookies. */
export interface CookiePolicy {
  session: CookieOptions;
  login: CookieOptions;
  loginName: string;
}

/**
 * Cookies are Secure, unless the API is reached over plain http at the machine itself. Over https the login cookie has
 * the prefix `__Host-`, which keeps sibling hosts from setting it (RFC 6265bis, section 4.1.3.2).
 *
 * @param options.apiUrl - any address of the API as browsers see it
 */
export const createCookiePolicy = (options: {
  apiUrl: string;
  sameSite: 'lax' | 'strict' | 'none';
}): CookiePolicy => {
  const { protocol, hostname } = new URL(options.apiUrl);
  const isLocal = ['localhost', '127.0.0.1', '[::1]'].includes(hostname);
  const secure = !(protocol === 'http:' && isLocal) || options.sameSite === 'none';
  return {
    session: { httpOnly: true, secure, sameSite: options.sameSite, path: '/' },
    // The provider sends the browser back from another site: strict would keep the cookie from arriving.
    login: { httpOnly: true, secure, sameSite: 'lax', path: '/' },
    loginName: protocol === 'https:' ? `__Host-${LOGIN_COOKIE}` : LOGIN_COOKIE,
  };
};

/** Makes the function that has a response delete the browser's session cookie. */
export const createClearSessionCookie =
  (policy: CookiePolicy) =>
  (response: Response): void =>
    void response.clearCookie(SESSION_COOKIE, policy.session);

/** What a request carries in the way of a session token. */
export type PresentedToken = { kind: 'bearer' | 'cookie'; token: string } | { kind: 'none' | 'ambiguous' };

/** Finds the session token of a request: a Bearer token goes before the cookie, two cookies are one too many. */
export const readPresentedToken = (request: Request): PresentedToken => {
  const authorization = request.headers.authorization;
  if (authorization !== undefined) {
    const token = /^Bearer ([^\s]+)$/i.exec(authorization)?.[1];
    return token === undefined ? { kind: 'ambiguous' } : { kind: 'bearer', token };
  }
  const header = request.headers.cookie ?? '';
  const named = header.split(';').filter((pair) => pair.split('=', 1)[0]?.trim() === SESSION_COOKIE);
  if (named.length > 1) return { kind: 'ambiguous' };
  const token = parseCookie(header)[SESSION_COOKIE];
  return token === undefined || token === '' ? { kind: 'none' } : { kind: 'cookie', token };
};

/** A cookie's value, or undefined. */
export const readCookie = (request: Request, name: string): string | undefined =>
  parseCookie(request.headers.cookie ?? '')[name];
