import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';

const ISSUER = 'mailsweep';
const AUDIENCE = 'mailsweep-session';
const ALGORITHM = 'HS256';

/** Claims we rely on; a token without any of them is no session token. */
const ClaimsSchema = z.object({ sub: z.uuid(), sid: z.uuid(), exp: z.number() });

export interface SessionClaims {
  userId: string;
  sessionId: string;
  expiresAt: Date;
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
  const known = new LRUCache<string, SessionClaims>({ max: MAX_KNOWN_TOKENS });

  const verifySignature = (token: string): SessionClaims | null => {
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
    verify(token: string): SessionClaims | null {
      const claims = known.get(token);
      if (claims === undefined) return verifySignature(token);
      return claims.expiresAt.getTime() > Date.now() ? claims : null;
    },
  };
};

const verifyWith = (key: KeyObject, token: string): SessionClaims | null => {
  try {
    const { header, payload } = jwt.verify(token, key, {
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      complete: true,
    });
    // We support no extensions, so a token that requires one is refused (RFC 7515, section 4.1.11).
    if ('crit' in header) return null;
    const { sub, sid, exp } = ClaimsSchema.parse(payload);
    return { userId: sub, sessionId: sid, expiresAt: new Date(exp * 1_000) };
  } catch {
    // The library also throws SyntaxError and TypeError for malformed tokens.
    return null;
  }
};

export type SessionTokens = ReturnType<typeof createSessionTokens>;
