import {
  RECENT_SIGN_IN_REQUIRED,
  type RouteAccess,
  type RouteContract,
  TokenScopeSchema,
} from '@mailsweep/contracts';
import type { ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler } from 'express';
import { createProblem } from '../http/problems.ts';
import { type Caller, callerOf, isToken } from './authenticate.ts';
import { readPresentedToken } from './session-token.ts';

/** What `Sec-Fetch-Site` says of requests that no other origin caused; a sibling host's are `same-site`. */
const OWN_FETCH_SITES = new Set([undefined, 'same-origin', 'none']);

/**
 * Refuses what another site makes a browser send with our cookie (OWASP, cross-site request forgery): a
 * foreign Origin, a fetch from another origin without one, and bodies that a plain form could have sent. A Bearer
 * token is never sent by a browser of its own accord and needs no such guard.
 *
 * @param options.allowedOrigins - the front end, and the API's own documentation page
 */
export const createCrossSiteGuard =
  (options: { allowedOrigins: string[] }): RequestHandler =>
  (request, _response, next) => {
    if (readPresentedToken(request).kind === 'bearer') return next();
    const { origin } = request.headers;
    const isForeign =
      origin === undefined
        ? !OWN_FETCH_SITES.has(request.get('sec-fetch-site'))
        : !options.allowedOrigins.includes(origin);
    if (isForeign) throw createProblem('cross_site_request', 'Requests from other sites are refused.');
    next();
  };

/** Makes the guard of a route that is not public. */
export type RequireAccess = (access: Exclude<RouteAccess, 'public'>) => RequestHandler;

const SCOPES = TokenScopeSchema.options;

/**
 * Makes guards that refuse those whom a route is not for: tokens without its scope, all tokens where it takes a session,
 * and sessions that began too long ago where it asks for a recent sign-in, because a stolen session token alone must not
 * be enough for what cannot be taken back. Challenges are those of RFC 6750 and RFC 9470.
 *
 * @param recentSignInMinutes - how old the sign-in may be, by the database's clock
 */
export const createRequireAccess =
  (recentSignInMinutes: number): RequireAccess =>
  (access) =>
  (_request, response, next) => {
    const problem = findProblem(callerOf(response), access, recentSignInMinutes);
    if (problem !== null) throw problem;
    next();
  };

const findProblem = (
  caller: Caller,
  access: Exclude<RouteAccess, 'public'>,
  recentSignInMinutes: number,
): ProblemError | null => {
  if (access === 'session' || access === 'recent_sign_in') {
    if (isToken(caller)) return sessionRequired();
    const isOld = access === 'recent_sign_in' && caller.ageSeconds > recentSignInMinutes * 60;
    return isOld ? recentSignInRequired(recentSignInMinutes) : null;
  }
  const hasScope = !isToken(caller) || SCOPES.indexOf(caller.scope) >= SCOPES.indexOf(access);
  return hasScope ? null : insufficientScope(access);
};

const sessionRequired = () =>
  createProblem(
    'session_required',
    'This takes a session, not a personal access token: sign in at /auth/idp.',
  );

const insufficientScope = (scope: string) =>
  createProblem('insufficient_scope', `This needs a token with the scope ${scope}.`, {
    headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` },
  });

const recentSignInRequired = (minutes: number) =>
  createProblem(
    RECENT_SIGN_IN_REQUIRED,
    `This needs a sign-in within the last ${minutes} minutes: sign in again at /auth/idp.`,
    {
      headers: {
        'www-authenticate': `Bearer error="insufficient_user_authentication", error_description="A more recent sign-in is required", max_age="${minutes * 60}"`,
      },
    },
  );

/**
 * Makes the guard that refuses tokens whose user confirms what they change, on routes that would change it without: those
 * of the scopes `act` and `admin` whose contract says nothing else.
 */
export const requireConfirmation =
  ({ access, confirmation }: RouteContract): RequestHandler =>
  (_request, response, next) => {
    const isChanging = access !== 'read' && confirmation === undefined;
    const caller = callerOf(response);
    if (isChanging && isToken(caller) && caller.requiresConfirmation) {
      throw createProblem(
        'confirmation_required',
        'Changes with this token need the user’s confirmation: plan a cleanup and run it, and the user confirms it.',
      );
    }
    next();
  };
