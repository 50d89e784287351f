import { ProblemError } from '@mailsweep/service-kit';
import type { Request, RequestHandler, Response } from 'express';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 1;

export const tooManyRequestsInFlight = (detail: string): ProblemError =>
  new ProblemError(429, 'too_many_requests_in_flight', detail, {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
  });

/**
 * Limits how many requests with the same key are in flight in this process.
 *
 * @param options.keyOf - whose request it is; undefined for requests that do not count
 * @param options.onEnd - called when a request no longer counts
 * @param options.refuse - makes the error for a request beyond the limit
 */
export const createInFlightLimit = (options: {
  maxInFlight: number;
  keyOf: (request: Request, response: Response) => string | undefined;
  onEnd: (response: Response, listener: () => void) => void;
  refuse: () => ProblemError;
}): RequestHandler => {
  const inFlight = new Map<string, number>();

  const add = (key: string, change: 1 | -1) => {
    const count = (inFlight.get(key) ?? 0) + change;
    if (count === 0) inFlight.delete(key);
    else inFlight.set(key, count);
  };

  return (request, response, next) => {
    const key = options.keyOf(request, response);
    if (key === undefined) return next();
    if ((inFlight.get(key) ?? 0) >= options.maxInFlight) throw options.refuse();
    add(key, 1);
    options.onEnd(response, () => add(key, -1));
    next();
  };
};
