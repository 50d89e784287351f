import type { Request, RequestHandler } from 'express';
import { onRequestEnd } from '../http/request-end.ts';
import type { ApiMetrics } from './metrics.ts';

/** Where the sign-in routes are mounted; Express forgets it once a handler has thrown. */
const AUTH_PREFIX = '/auth/';

/** The pattern of the route that took a request; one label for all that no route took. */
const routeOf = (request: Request): string => {
  const pattern: unknown = request.route?.path;
  if (typeof pattern !== 'string') return 'unmatched';
  const isMounted = request.originalUrl.startsWith(AUTH_PREFIX) && !pattern.startsWith(AUTH_PREFIX);
  return isMounted ? `/auth${pattern}` : pattern;
};

/** Counts and times every request once its response is sent or its client has disconnected; a stream, once it begins. */
export const createMeasureRequests =
  (metrics: Pick<ApiMetrics, 'countRequest'>): RequestHandler =>
  (request, response, next) => {
    const startedAtMs = performance.now();
    onRequestEnd(response, (end) => {
      const isServed = end === 'streaming' || response.writableFinished;
      metrics.countRequest({
        method: request.method,
        route: routeOf(request),
        // The code that web servers log for a client that did not wait.
        status: isServed ? response.statusCode : 499,
        durationS: (performance.now() - startedAtMs) / 1_000,
      });
    });
    next();
  };
