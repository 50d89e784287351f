import { ProblemError } from '@mailsweep/service-kit';
import type { ErrorRequestHandler, RequestHandler, Response } from 'express';

/** What a client without a session gets by guessing tokens and paths. */
const LIMITED_STATUSES = new Set([401, 404]);

/**
 * Limits the requests that fail with 401 or 404 without a live session: beyond the limit they fail with 429. Requests
 * with a session are neither counted nor refused here, whatever their address.
 *
 * @param options.limit - the limit that such a failure counts against
 */
export const createFailureLimit =
  (options: { limit: RequestHandler; hasSession: (response: Response) => boolean }): ErrorRequestHandler =>
  async (error: unknown, request, response, next) => {
    const isLimited = error instanceof ProblemError && LIMITED_STATUSES.has(error.status);
    // Throws the 429 in place of the error.
    if (isLimited && !options.hasSession(response)) await options.limit(request, response, () => undefined);
    next(error);
  };
