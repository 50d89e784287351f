import {
  MAILBOX_HEADER,
  MailboxNumberSchema,
  SESSION_COOKIE,
  TOKEN_PREFIX,
  type TokenAudience,
} from '@mailsweep/contracts';
import { findOwnMailbox } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import { onBehalfOf } from '@mailsweep/service-kit/outgoing-calls';
import type { Request, RequestHandler, Response } from 'express';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { USER_HEADER } from '../http/cors.ts';
import { createProblem, parseInput, withinDatabaseDeadline } from '../http/problems.ts';
import {
  findLiveToken,
  type LiveToken,
  TOKEN_USE_RESOLUTION_S,
  touchToken,
} from './personal-tokens/personal-token.repository.ts';
import { hashTokenSecret } from './personal-tokens/token-secret.ts';
import { findLiveSession, type Session, type SessionLife, touchSession } from './session.repository.ts';
import {
  type CookiePolicy,
  readPresentedToken,
  type SessionTokens,
  type VerifiedClaims,
} from './session-token.ts';

/** Who sends a request: a session of a user, or a personal access token of theirs. */
export type Caller = Session | LiveToken;

const unauthorized = () =>
  createProblem('unauthorized', 'A valid session or personal access token is needed: sign in at /auth/idp.', {
    headers: { 'www-authenticate': 'Bearer' },
  });

const givenForAnother = ({ audience }: LiveToken) =>
  createProblem(
    'unauthorized',
    `This token was given for ${audience === 'mcp' ? 'the MCP endpoint' : 'the API'} alone: name this resource when you ask for one.`,
    { headers: { 'www-authenticate': 'Bearer error="invalid_token"' } },
  );

/** Ended sessions and tokens that are remembered, and tokens that were live; each takes some 200 bytes. */
const MAX_REMEMBERED = 10_000;

const mailboxNotReachable = () =>
  createProblem(
    'mailbox_not_reachable',
    `${MAILBOX_HEADER} names no mailbox that this session or token is for.`,
  );

const HeadersSchema = z.object({ [MAILBOX_HEADER]: MailboxNumberSchema });

interface Dependencies {
  database: Database;
  sessionTokens: SessionTokens;
  sessionLife: SessionLife;
  cookiePolicy: CookiePolicy;
  /** Limits the personal access tokens that an address may have looked up before any of them was found live. */
  limitUnknownTokens: RequestHandler;
  logger: Logger;
}

/**
 * Lets only requests with a live session or personal access token through, and notes whose it is and which mailbox it is
 * for. Others get 401, or 403 where the request names a mailbox that is not reached. A page that names its user gets 403
 * once another one has signed in to the browser. If there is an `Authorization` header, it alone decides; personal access
 * tokens are taken from nowhere else.
 *
 * @returns what makes the guard of a resource: tokens for another one get 401, too
 */
export const createAuthenticate = (
  dependencies: Dependencies,
): ((resource: TokenAudience) => RequestHandler) => {
  const findSession = createFindSession(dependencies);
  const findToken = createFindToken(dependencies);
  /** The caller, for the mailbox that the request names. */
  const forNamedMailbox = async (caller: Caller, request: Request): Promise<Caller> => {
    const named = request.get(MAILBOX_HEADER);
    if (named === undefined) return caller;
    const { [MAILBOX_HEADER]: number } = parseInput(HeadersSchema, { [MAILBOX_HEADER]: named }, 'header');
    const userId = await withinDatabaseDeadline(findOwnMailbox(dependencies.database, caller, number));
    if (userId === null) throw mailboxNotReachable();
    return { ...caller, userId };
  };
  return (resource) => async (request, response, next) => {
    const presented = readPresentedToken(request);
    if (!('token' in presented)) throw unauthorized();
    const isPersonal = presented.kind === 'bearer' && presented.token.startsWith(TOKEN_PREFIX);
    const found = await (isPersonal
      ? findToken(presented.token, request, response)
      : findSession(presented, request, response));
    if (found === null) throw unauthorized();
    if (isToken(found) && !acceptsAudience(resource, found)) throw givenForAnother(found);
    const caller = await forNamedMailbox(found, request);
    response.locals.caller = caller;
    // A streamed response is looked up again while it is sent.
    if (!response.headersSent) response.set(USER_HEADER, caller.userId);
    if ((request.get(USER_HEADER) ?? caller.userId) !== caller.userId)
      throw createProblem(
        'user_changed',
        'This is the session of another user than the request is meant for.',
      );
    onBehalfOf(caller.userId, next);
  };
};

/** Who {@link createAuthenticate} let through. */
export const callerOf = (response: Response): Caller => response.locals.caller as Caller;

/** Who {@link createAuthenticate} let through, where no token may come. */
export const sessionOf = (response: Response): Session => response.locals.caller as Session;

/** Whether {@link createAuthenticate} let the request through. */
export const hasCaller = (response: Response): boolean => response.locals.caller !== undefined;

export const isToken = (caller: Caller): caller is LiveToken => 'scope' in caller;

/** What the audit trail says about who sent a request. */
export const toAuditIds = (caller: Caller): { sessionId?: string; tokenId?: string } =>
  isToken(caller) ? { tokenId: caller.id } : { sessionId: caller.id };

/** What limits count a request by: the tokens of a user together, apart from their sessions. */
export const limitKeyOf = (response: Response): string => {
  const caller = callerOf(response);
  return isToken(caller) ? `${caller.userId}/tokens` : caller.userId;
};

/** Finds the live session of a session token. A session that is used lasts longer, and so does its cookie. */
const createFindSession = ({ database, sessionTokens, sessionLife, cookiePolicy, logger }: Dependencies) => {
  /** Only responses to reads, with their head: a sign-out, which deletes the cookie, is none. */
  const renewCookie = (request: Request, response: Response, session: Session, claims: VerifiedClaims) => {
    if (request.method !== 'GET' || response.headersSent) return;
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
  const noteUse = createNoteUse('session', (id) => touchSession(database, id, sessionLife), logger);
  // A dead token costs one query however often it comes. No session comes back to life, so what is remembered stays
  // true; live sessions may be revoked at any time and are never remembered.
  const deadSessions = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  return async (
    presented: { kind: 'bearer' | 'cookie'; token: string },
    request: Request,
    response: Response,
  ): Promise<Session | null> => {
    const claims = sessionTokens.verify(presented.token);
    if (claims === null) return null;
    const sessionKey = `${claims.userId}/${claims.sessionId}`;
    if (deadSessions.get(sessionKey)) return null;
    const session = await withinDatabaseDeadline(findLiveSession(database, claims.sessionId, claims.userId));
    if (session === null) {
      deadSessions.set(sessionKey, true);
      return null;
    }
    if (session.unusedSeconds >= sessionLife.resolutionS) noteUse(session.id);
    if (presented.kind === 'cookie') renewCookie(request, response, session, claims);
    return session;
  };
};

/** Finds a live personal access token, also with one query, and none for what was found dead or can be no token. */
const createFindToken = ({ database, limitUnknownTokens, logger }: Dependencies) => {
  const noteUse = createNoteUse('token', (id) => touchToken(database, id), logger);
  const deadTokens = new LRUCache<string, true>({ max: MAX_REMEMBERED });
  // Only for the limit: whether a token is still live, the query says.
  const knownTokens = new LRUCache<string, true>({ max: MAX_REMEMBERED });

  return async (text: string, request: Request, response: Response): Promise<LiveToken | null> => {
    const hash = hashTokenSecret(text);
    if (hash === null) return null;
    const key = hash.toString('base64');
    if (deadTokens.get(key)) return null;
    // Everybody can make tokens with a right checksum. Throws the 429 where there are too many.
    if (!knownTokens.get(key)) await limitUnknownTokens(request, response, () => undefined);
    const token = await withinDatabaseDeadline(findLiveToken(database, hash));
    if (token === null) {
      deadTokens.set(key, true);
      return null;
    }
    knownTokens.set(key, true);
    const { unusedSeconds } = token;
    if (unusedSeconds === null || unusedSeconds >= TOKEN_USE_RESOLUTION_S) noteUse(token.id);
    return token;
  };
};

/**
 * Makes the function that stores when a session or token was last used. Requests do not wait for it: the row that a
 * request has read shows whether to write, so that it happens once in a while.
 */
const createNoteUse = (subject: string, touch: (id: string) => Promise<void>, logger: Logger) => {
  const writing = new Set<string>();
  return (id: string): void => {
    if (writing.has(id)) return;
    writing.add(id);
    touch(id)
      .catch((error: unknown) =>
        logger.warn({ err: error, [`${subject}Id`]: id }, `the last use of a ${subject} could not be stored`),
      )
      .finally(() => writing.delete(id));
  };
};

/**
 * Whether a resource takes a token. A token that a program was given is for one resource (RFC 8707); a token that the user
 * made is for whatever they send it to.
 */
const acceptsAudience = (
  resource: TokenAudience,
  token: { audience: TokenAudience; clientId: string | null },
): boolean => token.audience === resource || (token.audience === 'api' && token.clientId === null);
