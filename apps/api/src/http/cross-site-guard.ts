import { ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler } from 'express';
import { readPresentedToken } from '../auth/session-cookie.ts';

/** Methods that change nothing. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

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
    if (isForeign)
      throw new ProblemError(403, 'cross_site_request', 'Requests from other sites are refused.');
    next();
  };

/** Refuses bodies that are not JSON in UTF-8 (RFC 8259, section 8.1), so that no plain HTML form reaches a route. */
export const requireJsonBody: RequestHandler = (request, _response, next) => {
  const contentType = request.headers['content-type'];
  const hasBody =
    request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length']) > 0;
  const isAcceptable = contentType === undefined ? !hasBody : isJsonInUtf8(contentType);
  if (!SAFE_METHODS.has(request.method) && !isAcceptable) {
    throw new ProblemError(
      415,
      'unsupported_media_type',
      'The body must be sent as application/json, in UTF-8.',
    );
  }
  next();
};

const isJsonInUtf8 = (contentType: string): boolean => {
  const [type, ...parameters] = contentType
    .toLowerCase()
    .split(';')
    .map((part) => part.trim());
  const charsets = parameters.filter((parameter) => parameter.startsWith('charset='));
  return type === 'application/json' && charsets.every((charset) => /^charset="?utf-8"?$/.test(charset));
};
