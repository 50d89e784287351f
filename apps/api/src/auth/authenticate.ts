import { RECENT_SIGN_IN_REQUIRED, SESSION_COOKIE } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type Logger, ProblemError } from '@mailsweep/service-kit';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { withinDatabaseDeadline } from '../http/database-unavailable.ts';
import { findLiveSession, type Session, touchSession } from './session.repository.ts';
import type { SessionLife } from './session-life.ts';
import {
  type CookiePolicy,
  readPresentedToken,
  type SessionTokens,
  type VerifiedClaims,
} from './session-token.ts';

const unauthorized = () =>
  new ProblemError(401, 'unauthorized', 'A valid session token is needed: sign in at /auth/idp.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Ended sessions that are remembered; each takes some 200 bytes. */
const MAX_DEAD_SESSIONS = 10_000;

/**
 * Lets only requests with a live session through, and notes whose it is. Everything else gets 401. A session that is used
 * lasts longer, and so does its cookie.
 */
export const createAuthenticate = (dependencies: {
  database: Database;
  sessionTokens: SessionTokens;
  sessionLife: SessionLife;
  cookiePolicy: CookiePolicy;
  logger: Logger;
}): RequestHandler => {
  const { sessionTokens, sessionLife, cookiePolicy } = dependencies;
  /** Only responses to reads: a sign-out, which deletes the cookie, is none. */
  const renewCookie = (request: Request, response: Response, session: Session, claims: VerifiedClaims) => {
    if (request.method !== 'GET') return;
    const { id: sessionId, userId, ageSeconds } = session;
    const { idleMs, longestMs, renewCookieAfterMs } = sessionLife;
    const nowMs = Date.now();
    const lastMs = nowMs + longestMs - ageSeconds * 1_000;
    const endMs = Math.min(lastMs, nowMs + idleMs);
    // Tokens from before an upgrade end before their session does.
    const isLasting = claims.expiresAt.getTime() > endMs - renewCookieAfterMs;
    if (isLasting && nowMs - claims.issuedAt.getTime() < renewCookieAfterMs) return;
    const token = sessionTokens.sign({ userId, sessionId, expiresAt: new Date(lastMs) });
    response.cookie(SESSION_COOKIE, token, { ...cookiePolicy.session, expires: new Date(endMs) });
  };
  const noteSessionUse = createNoteSessionUse(dependencies);
  // A dead token costs one query however often it comes. No session comes back to life, so what is remembered stays
  // true; live sessions may be revoked at any time and are never remembered.
  const deadSessions = new LRUCache<string, true>({ max: MAX_DEAD_SESSIONS });
  return async (request, response, next) => {
    const presented = readPresentedToken(request);
    if (!('token' in presented)) throw unauthorized();
    const claims = sessionTokens.verify(presented.token);
    if (claims === null) throw unauthorized();
    const sessionKey = `${claims.userId}/${claims.sessionId}`;
    if (deadSessions.get(sessionKey)) throw unauthorized();
    const session = await withinDatabaseDeadline(
      findLiveSession(dependencies.database, claims.sessionId, claims.userId),
    );
    if (session === null) {
      deadSessions.set(sessionKey, true);
      throw unauthorized();
    }
    noteSessionUse(session);
    if (presented.kind === 'cookie') renewCookie(request, response, session, claims);
    response.locals.session = session;
    next();
  };
};

/** The session that {@link createAuthenticate} let through. */
export const sessionOf = (response: Response): Session => response.locals.session as Session;

/** Whether {@link createAuthenticate} let the request through. */
export const hasSession = (response: Response): boolean => response.locals.session !== undefined;

/**
 * Makes the function that stores when a session was last used, at most once a minute. It is called with each
 * authenticated request, which does not wait for it: the row that the request has read shows whether to write.
 */
const createNoteSessionUse = (dependencies: {
  database: Database;
  sessionLife: SessionLife;
  logger: Logger;
}) => {
  const { database, sessionLife, logger } = dependencies;
  const writing = new Set<string>();
  return ({ id, unusedSeconds }: Session): void => {
    if (unusedSeconds < sessionLife.resolutionS || writing.has(id)) return;
    writing.add(id);
    touchSession(database, id, sessionLife)
      .catch((error: unknown) =>
        logger.warn({ err: error, sessionId: id }, 'the last use of a session could not be stored'),
      )
      .finally(() => writing.delete(id));
  };
};

export type RequireRecentSignIn = (session: Session) => void;

/**
 * Refuses sessions that began too long ago for what cannot be taken back: a stolen token alone must not be enough.
 * The challenge is that of RFC 9470.
 *
 * @param minutes - how old the sign-in may be, by the database's clock
 * @throws {ProblemError} 401 `recent_sign_in_required`, from the function it returns
 */
export const createRequireRecentSignIn =
  (minutes: number): RequireRecentSignIn =>
  (session) => {
    if (session.ageSeconds <= minutes * 60) return;
    throw new ProblemError(
      401,
      RECENT_SIGN_IN_REQUIRED,
      `This needs a sign-in within the last ${minutes} minutes: sign in again at /auth/idp.`,
      {
        headers: {
          'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${minutes * 60}"`,
        },
      },
    );
  };
