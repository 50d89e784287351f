import type { RequestHandler } from 'express';
import { createProblem } from '../http/create-problem.ts';
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
