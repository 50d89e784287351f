import type { Database } from '@mailsweep/database';
import { ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler, Response } from 'express';
import { withinDatabaseDeadline } from '../http/database-deadline.ts';
import { createDeadSessions } from './dead-sessions.ts';
import { findLiveSession, type Session } from './session.repository.ts';
import { readPresentedToken } from './session-cookie.ts';
import type { SessionTokens } from './session-token.ts';
import type { NoteSessionUse } from './session-use.ts';

const unauthorized = () =>
  new ProblemError(401, 'unauthorized', 'A valid session token is needed: sign in at /auth/idp.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

/** Lets only requests with a live session through, and notes whose it is. Everything else gets 401. */
export const createAuthenticate = (dependencies: {
  database: Database;
  sessionTokens: SessionTokens;
  noteSessionUse: NoteSessionUse;
}): RequestHandler => {
  const deadSessions = createDeadSessions();
  return async (request, response, next) => {
    const presented = readPresentedToken(request);
    if (!('token' in presented)) throw unauthorized();
    const claims = dependencies.sessionTokens.verify(presented.token);
    if (claims === null || deadSessions.has(claims)) throw unauthorized();
    const session = await withinDatabaseDeadline(
      findLiveSession(dependencies.database, claims.sessionId, claims.userId),
    );
    if (session === null) {
      deadSessions.add(claims);
      throw unauthorized();
    }
    dependencies.noteSessionUse(session);
    response.locals.session = session;
    next();
  };
};

/** The session that {@link createAuthenticate} let through. */
export const sessionOf = (response: Response): Session => response.locals.session as Session;

/** Whether {@link createAuthenticate} let the request through. */
export const hasSession = (response: Response): boolean => response.locals.session !== undefined;
