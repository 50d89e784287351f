import { type Logger, ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler, Response } from 'express';
import { onRequestEnd } from './request-end.ts';

/** Event-loop delay at which requests are refused, in milliseconds; operators are to be alarmed at 200. */
const LONGEST_DELAY_MS = 150;
/** Requests under way that are always served: a slow machine is not yet an overload. */
const ALWAYS_SERVED = 100;
/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 1;
/** Probes must tell whether the process lives, not whether it is busy. */
const EXEMPT_PATHS = new Set(['/api/v1/health', '/api/v1/health/db']);

/** Counts requests that are under way. */
const createGate = () => {
  let inFlight = 0;
  return {
    inFlight: () => inFlight,
    enter(response: Response) {
      inFlight += 1;
      onRequestEnd(response, () => {
        inFlight -= 1;
      });
    },
  };
};

const overloaded = () =>
  new ProblemError(503, 'overloaded', 'The service has too much to do just now; try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    isExpected: true,
  });

/**
 * Refuses requests fast when the process has more to do than it can do well: too many are under way, or the
 * event loop falls behind (docs/decisions/026). Health checks always pass.
 *
 * @param options.delayMs - the event loop's present delay
 * @param options.onShed - told why a request was refused
 */
export const createLoadShedding = (options: {
  maxInFlight: number;
  delayMs: () => number;
  onShed: (reason: 'in_flight' | 'event_loop') => void;
  logger: Logger;
}): RequestHandler => {
  const { maxInFlight, delayMs, onShed, logger } = options;
  const gate = createGate();
  let isShedding = false;

  const findReason = (): 'in_flight' | 'event_loop' | undefined => {
    if (gate.inFlight() >= maxInFlight) return 'in_flight';
    return gate.inFlight() >= ALWAYS_SERVED && delayMs() > LONGEST_DELAY_MS ? 'event_loop' : undefined;
  };

  return (request, response, next) => {
    if (EXEMPT_PATHS.has(request.path)) return next();
    const reason = findReason();
    if (reason !== undefined) {
      if (!isShedding) logger.warn({ reason }, 'too much to do: refusing requests');
      isShedding = true;
      onShed(reason);
      throw overloaded();
    }
    // Half of the limit, so that the log does not flicker with the load.
    if (isShedding && gate.inFlight() < maxInFlight / 2 && delayMs() <= LONGEST_DELAY_MS) {
      logger.info('no longer refusing requests');
      isShedding = false;
    }
    gate.enter(response);
    next();
  };
};

/**
 * Keeps routes that wait for one thing from taking every place: while the mail provider is slow the rest of the
 * API goes on, and no more requests queue for the database than it serves before they give up.
 */
export const createBulkhead = (options: { maxInFlight: number; onShed: () => void }): RequestHandler => {
  const gate = createGate();
  return (_request, response, next) => {
    if (gate.inFlight() >= options.maxInFlight) {
      options.onShed();
      throw overloaded();
    }
    gate.enter(response);
    next();
  };
};
