import { SESSION_COOKIE } from '@mailsweep/contracts';
import { requestIdOf } from '@mailsweep/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { ReadClient } from '../http/client.ts';
import type { SecurityLog } from '../security-log.ts';
import { sessionOf } from './authenticate.ts';
import { type CookiePolicy, readCookie } from './session-token.ts';
import { LOGIN_TTL_MS, type SignIn, toSignInFailure } from './sign-in/sign-in.ts';
import type { SignOut } from './sign-out.ts';

/**
 * The browser's way in and out: `/auth/idp`, `/auth/idp/callback`, `/auth/logout` and
 * `/auth/logout-everywhere`. Whatever happens on the way in, the browser ends up at the front end's `/auth/callback`, with `?error=` when it failed.
 */
export const createAuthRouter = (dependencies: {
  signIn: SignIn;
  signOut: SignOut;
  cookiePolicy: CookiePolicy;
  clearSessionCookie: (response: Response) => void;
  readClient: ReadClient;
  frontendOrigin: string;
  /** Guards of the sign-out: it changes state on the strength of a cookie. */
  signOutGuards: RequestHandler[];
  securityLog: SecurityLog;
}): Router => {
  const { signIn, signOut, cookiePolicy, clearSessionCookie, readClient, securityLog } = dependencies;
  const frontendUrl = `${dependencies.frontendOrigin}/auth/callback`;

  const redirectWithError = (response: Response, error: unknown) => {
    const failure = toSignInFailure(error);
    securityLog('sign_in_refused', { err: failure, requestId: requestIdOf(response) });
    response.redirect(302, `${frontendUrl}?error=${failure.code}`);
  };

  const begin = async (request: Request, response: Response): Promise<void> => {
    try {
      const { url, browserSecret } = await signIn.begin({
        browserSecret: readCookie(request, cookiePolicy.loginName),
        renewedSession: request.query.renew === 'true' ? readCookie(request, SESSION_COOKIE) : undefined,
      });
      response.cookie(cookiePolicy.loginName, browserSecret, { ...cookiePolicy.login, maxAge: LOGIN_TTL_MS });
      response.redirect(302, url.href);
    } catch (error) {
      redirectWithError(response, error);
    }
  };

  const complete = async (request: Request, response: Response): Promise<void> => {
    try {
      const query = new URL(request.originalUrl, 'http://callback').searchParams;
      const outcome = await signIn.complete(
        query,
        readCookie(request, cookiePolicy.loginName),
        readCookie(request, SESSION_COOKIE),
        readClient(request),
      );
      if ('consentUrl' in outcome) return response.redirect(302, outcome.consentUrl.href);
      const { token, userId, sessionId, expiresAt } = outcome.session;
      // The login cookie stays until it expires: another tab may still be on its way back.
      response.cookie(SESSION_COOKIE, token, { ...cookiePolicy.session, expires: expiresAt });
      securityLog('signed_in', { userId, sessionId, requestId: requestIdOf(response) });
      response.redirect(302, frontendUrl);
    } catch (error) {
      redirectWithError(response, error);
    }
  };

  const signOutHere = async (request: Request, response: Response): Promise<void> => {
    const { id: sessionId, userId } = sessionOf(response);
    await signOut.current(sessionOf(response), readClient(request));
    securityLog('signed_out', { userId, sessionId, requestId: requestIdOf(response) });
    clearSessionCookie(response);
    response.status(204).end();
  };

  const signOutEverywhere = async (request: Request, response: Response): Promise<void> => {
    const { userId } = sessionOf(response);
    const ended = await signOut.everywhere(sessionOf(response), readClient(request));
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
  router.post('/logout', ...dependencies.signOutGuards, signOutHere);
  router.post('/logout-everywhere', ...dependencies.signOutGuards, signOutEverywhere);
  return router;
};
