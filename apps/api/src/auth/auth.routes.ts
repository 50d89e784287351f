import { SESSION_COOKIE } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type Logger, requestIdOf } from '@mailsweep/service-kit';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import { sessionOf } from './authenticate.ts';
import { revokeSession } from './session.repository.ts';
import { type CookiePolicy, LOGIN_COOKIE, readCookie } from './session-cookie.ts';
import { LOGIN_TTL_MS, type SignIn, toSignInFailure } from './sign-in.ts';

/**
 * The browser's way in and out: `/auth/idp`, `/auth/idp/callback` and `/auth/logout`. Whatever happens on
 * the way in, the browser ends up at the front end's `/auth/callback`, with `?error=` when it failed.
 */
export const createAuthRouter = (dependencies: {
  database: Database;
  signIn: SignIn;
  cookiePolicy: CookiePolicy;
  frontendOrigin: string;
  /** Guards of the sign-out: it changes state on the strength of a cookie. */
  signOutGuards: RequestHandler[];
  logger: Logger;
}): Router => {
  const { signIn, cookiePolicy, logger } = dependencies;
  const frontendUrl = `${dependencies.frontendOrigin}/auth/callback`;

  const redirectWithError = (response: Response, error: unknown) => {
    const failure = toSignInFailure(error);
    logger.warn({ err: failure, requestId: requestIdOf(response) }, 'a sign-in failed');
    response.redirect(302, `${frontendUrl}?error=${failure.code}`);
  };

  const begin = async (request: Request, response: Response): Promise<void> => {
    try {
      const { url, browserSecret } = await signIn.begin(readCookie(request, LOGIN_COOKIE));
      response.cookie(LOGIN_COOKIE, browserSecret, { ...cookiePolicy.login, maxAge: LOGIN_TTL_MS });
      response.redirect(302, url.href);
    } catch (error) {
      redirectWithError(response, error);
    }
  };

  const complete = async (request: Request, response: Response): Promise<void> => {
    try {
      const query = new URL(request.originalUrl, 'http://callback').searchParams;
      const { token, expiresAt } = await signIn.complete(query, readCookie(request, LOGIN_COOKIE));
      // The login cookie stays until it expires: another tab may still be on its way back.
      response.cookie(SESSION_COOKIE, token, { ...cookiePolicy.session, expires: expiresAt });
      response.redirect(302, frontendUrl);
    } catch (error) {
      redirectWithError(response, error);
    }
  };

  const signOut = async (_request: Request, response: Response): Promise<void> => {
    await revokeSession(dependencies.database, sessionOf(response).id);
    response.clearCookie(SESSION_COOKIE, cookiePolicy.session);
    response.status(204).end();
  };

  const router = Router();
  router.use((_request, response, next) => {
    response.set('cache-control', 'no-store');
    next();
  });
  router.get('/idp', begin);
  router.get('/idp/callback', complete);
  router.post('/logout', ...dependencies.signOutGuards, signOut);
  return router;
};
