import {
  MAX_MAILBOXES,
  MailboxNumberSchema,
  QueryBooleanSchema,
  SESSION_COOKIE,
  SignInWithTokenRequestSchema,
} from '@mailsweep/contracts';
import { GMAIL, OidcError } from '@mailsweep/mail/provider-connection';
import { requestIdOf } from '@mailsweep/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { z } from 'zod';
import type { ReadClient } from '../http/client.ts';
import { createProblem, invalidField, NothingSchema, parseInput } from '../http/problems.ts';
import type { SecurityLog } from '../security-log.ts';
import { sessionOf } from './authenticate.ts';
import { type CookiePolicy, readCookie, type SessionClaims } from './session-token.ts';
import type { Sessions } from './sessions.ts';
import { LOGIN_TTL_MS, type SignIn, SignInFailure, toSignInFailure } from './sign-in/sign-in.ts';

const BeginSchema = z.strictObject({
  provider: z.string().optional(),
  access: z.enum(['read', 'change'], { error: 'must be read or change' }).optional(),
  renew: QueryBooleanSchema.optional(),
  add: QueryBooleanSchema.optional(),
  mailbox: MailboxNumberSchema.optional(),
});

/**
 * The browser's way in and out: `/auth/idp`, `/auth/idp/callback`, that with the key of another provider than Gmail,
 * `/auth/token`, `/auth/logout` and `/auth/logout-everywhere`. Whatever happens at the provider, the browser ends up at the
 * front end's `/auth/callback`, with `?error=` when it failed.
 */
export const createAuthRouter = (dependencies: {
  signIn: SignIn;
  sessions: Sessions;
  cookiePolicy: CookiePolicy;
  clearSessionCookie: (response: Response) => void;
  readClient: ReadClient;
  frontendOrigin: string;
  /** The key of the provider for sign-ins that name none. */
  defaultProvider: string;
  /** Guards of the sign-in with a token: nobody may be signed in from another site. The last ones read the body. */
  tokenGuards: RequestHandler[];
  /** Guards of the sign-out: it changes state on the strength of a cookie. The last ones read the body. */
  signOutGuards: RequestHandler[];
  securityLog: SecurityLog;
}): Router => {
  const { signIn, sessions, cookiePolicy, clearSessionCookie, readClient, securityLog } = dependencies;
  const frontendUrl = `${dependencies.frontendOrigin}/auth/callback`;

  const redirectWithError = (response: Response, provider: string, error: unknown) => {
    const failure = toSignInFailure(error);
    securityLog('sign_in_refused', { err: failure, requestId: requestIdOf(response) });
    const where = provider === GMAIL ? '' : `&provider=${encodeURIComponent(provider)}`;
    response.redirect(302, `${frontendUrl}?error=${failure.code}${where}`);
  };

  const setSession = (response: Response, session: SessionClaims & { token: string }) => {
    const { token, userId, sessionId, expiresAt } = session;
    response.cookie(SESSION_COOKIE, token, { ...cookiePolicy.session, expires: expiresAt });
    securityLog('signed_in', { userId, sessionId, requestId: requestIdOf(response) });
  };

  const begin = async (request: Request, response: Response): Promise<void> => {
    const asked = parseInput(BeginSchema, request.query, 'query');
    const { provider = dependencies.defaultProvider, access, renew, add, mailbox } = asked;
    const sessionToken = readCookie(request, SESSION_COOKIE);
    const isAdding = add === true;
    try {
      const begun = await signIn.begin({
        provider,
        access,
        browserSecret: readCookie(request, cookiePolicy.loginName),
        renewedSession: renew === true && !isAdding ? sessionToken : undefined,
        mailbox,
        addsTo: isAdding ? { sessionToken } : undefined,
      });
      if ('needsTokenFor' in begun) {
        const { key } = begun.needsTokenFor;
        // A mailbox that is connected again beside the one of the session stays with it.
        const adds = isAdding || mailbox !== undefined ? '&add=true' : '';
        return response.redirect(302, `${dependencies.frontendOrigin}/sign-in?provider=${key}${adds}`);
      }
      const { url, browserSecret } = begun;
      response.cookie(cookiePolicy.loginName, browserSecret, { ...cookiePolicy.login, maxAge: LOGIN_TTL_MS });
      response.redirect(302, url.href);
    } catch (error) {
      redirectWithError(response, provider, error);
    }
  };

  const complete = async (request: Request, response: Response): Promise<void> => {
    const provider = String(request.params.provider ?? GMAIL);
    try {
      const query = new URL(request.originalUrl, 'http://callback').searchParams;
      const outcome = await signIn.complete(
        { provider, query },
        readCookie(request, cookiePolicy.loginName),
        readCookie(request, SESSION_COOKIE),
        readClient(request),
      );
      if ('consentUrl' in outcome) return response.redirect(302, outcome.consentUrl.href);
      if ('mailbox' in outcome) return response.redirect(302, `${frontendUrl}?mailbox=${outcome.mailbox}`);
      // The login cookie stays until it expires: another tab may still be on its way back.
      setSession(response, outcome.session);
      response.redirect(302, frontendUrl);
    } catch (error) {
      redirectWithError(response, provider, error);
    }
  };

  const signInWithToken = async (request: Request, response: Response): Promise<void> => {
    const body = parseInput(SignInWithTokenRequestSchema, request.body, 'body');
    try {
      const outcome = await signIn.withToken(body, readCookie(request, SESSION_COOKIE), readClient(request));
      if (outcome === undefined)
        throw invalidField('body', 'provider', 'is none that takes a token of its users');
      if ('mailbox' in outcome) return void response.json(outcome);
      setSession(response, outcome.session);
      response.status(204).end();
    } catch (error) {
      if (error instanceof SignInFailure && isNotAdded(error.code))
        throw createProblem(error.code, NOT_ADDED[error.code], { cause: error });
      if (!(error instanceof OidcError)) throw error;
      const failure = toSignInFailure(error);
      securityLog('sign_in_refused', { err: failure, requestId: requestIdOf(response) });
      throw toTokenProblem(error);
    }
  };

  const signOutHere = async (request: Request, response: Response): Promise<void> => {
    parseInput(NothingSchema, request.body, 'body');
    const { id: sessionId, userId } = sessionOf(response);
    await sessions.endCurrent(sessionOf(response), readClient(request));
    securityLog('signed_out', { userId, sessionId, requestId: requestIdOf(response) });
    clearSessionCookie(response);
    response.status(204).end();
  };

  const signOutEverywhere = async (request: Request, response: Response): Promise<void> => {
    parseInput(NothingSchema, request.body, 'body');
    const { userId } = sessionOf(response);
    const ended = await sessions.endAll(sessionOf(response), readClient(request));
    securityLog('signed_out_everywhere', { userId, ...ended, requestId: requestIdOf(response) });
    clearSessionCookie(response);
    response.status(204).end();
  };

  const router = Router();
  router.use((_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  router.get('/idp', begin);
  router.get('/idp/callback', complete);
  router.get('/idp/callback/:provider', complete);
  router.post('/token', ...dependencies.tokenGuards, signInWithToken);
  router.post('/logout', ...dependencies.signOutGuards, signOutHere);
  router.post('/logout-everywhere', ...dependencies.signOutGuards, signOutEverywhere);
  return router;
};

const NOT_ADDED = {
  mailbox_limit: `An owner has at most ${MAX_MAILBOXES} mailboxes.`,
  mailbox_taken: 'It is with other mailboxes: take it out there first.',
  recent_sign_in_required: 'To add a mailbox, sign in again first.',
};

const isNotAdded = (code: string): code is keyof typeof NOT_ADDED => code in NOT_ADDED;

/** The problem that tells the client why a token was refused. */
const toTokenProblem = (error: OidcError) => {
  switch (error.code) {
    case 'invalid_grant':
      return invalidField('body', 'token', 'is not accepted by the provider', error);
    case 'missing_scope':
      return invalidField('body', 'token', 'may not read and change the mailbox', error);
    case 'mail_service_disabled':
      return invalidField('body', 'token', 'is of an account without a mailbox of its own', error);
    case 'provider_configuration':
      return createProblem(
        'provider_configuration',
        `The mail server is at another address than the operator has given: ${error.message}.`,
        { cause: error },
      );
    default:
      return createProblem('mailbox_unavailable', 'The provider can’t be reached, or has no mailbox there.', {
        headers: { 'retry-after': '5' },
        cause: error,
      });
  }
};
