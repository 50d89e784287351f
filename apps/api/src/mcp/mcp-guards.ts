import { ProblemError } from '@mailsweep/service-kit';
import { localhostAllowedHostnames, validateHostHeader } from '@modelcontextprotocol/server';
import type { RequestHandler } from 'express';
import { callerOf, isToken } from '../auth/authenticate.ts';
import { readPresentedToken } from '../auth/session-token.ts';
import { createProblem } from '../http/create-problem.ts';

/**
 * Refuses what another site makes a browser send (DNS rebinding): a foreign Origin, and a Host that is not ours.
 *
 * @param apiOrigin - our own; where it is on this machine, each name of this machine will do
 */
export const createSiteGuard = (apiOrigin: string, allowedOrigins: readonly string[]): RequestHandler => {
  const { hostname } = new URL(apiOrigin);
  const local = localhostAllowedHostnames();
  const hostnames = local.includes(hostname) ? local : [hostname];
  return (request, _response, next) => {
    const { origin, host } = request.headers;
    const isForeign = origin !== undefined && !allowedOrigins.includes(origin);
    if (isForeign || !validateHostHeader(host, hostnames).ok)
      throw createProblem('cross_site_request', 'Requests from other sites are refused.');
    next();
  };
};

/**
 * Takes personal access tokens of the `Authorization` header alone. A refusal says where a client finds out how to get one
 * (RFC 9728).
 */
export const createTokenGuard =
  (authenticate: RequestHandler, metadataUrl: string): RequestHandler =>
  async (request, response, next) => {
    const isPresented = request.headers.authorization !== undefined;
    const refuse = (cause?: unknown) =>
      createProblem('unauthorized', 'A valid token is needed: see the address in WWW-Authenticate.', {
        headers: {
          'www-authenticate': `Bearer ${isPresented ? 'error="invalid_token", ' : ''}resource_metadata="${metadataUrl}"`,
        },
        cause,
      });
    if (readPresentedToken(request).kind !== 'bearer') throw refuse();
    try {
      await authenticate(request, response, () => undefined);
    } catch (error) {
      throw error instanceof ProblemError && error.code === 'unauthorized' ? refuse(error) : error;
    }
    if (!isToken(callerOf(response))) {
      delete response.locals.caller;
      throw refuse();
    }
    next();
  };
