import type { Request, RequestHandler } from 'express';
import { sessionOf } from '../auth/authenticate.ts';
import { createInFlightLimit, tooManyRequestsInFlight } from './in-flight-limit.ts';
import { onRequestAndWorkEnd, onRequestEnd } from './request-end.ts';
import { overloaded } from './work-slots.ts';

/** Exports that are sent at once; each holds some pages of rows in memory. */
const MAX_EXPORTS = 8;

/**
 * Makes the limits that keep one client from taking what others need: on requests in flight of an address and of a
 * user, and on exports. Requests count until their response is read, for until then it takes memory.
 *
 * @param options.addressOf - names the client's address; undefined for requests that do not count
 * @param options.onRefused - called with the limit that refused a request
 * @param options.onShed - called when all clients together have too many exports
 */
export const createClientLimits = (options: {
  maxInFlightPerAddress: number;
  maxInFlightPerUser: number;
  addressOf: (request: Request) => string | undefined;
  onRefused: (limit: string) => void;
  onShed: (reason: string) => void;
}): { byAddress: RequestHandler; byUser: RequestHandler; exports: RequestHandler[] } => {
  const refuse = (limit: string, detail: string) => () => {
    options.onRefused(limit);
    return tooManyRequestsInFlight(detail);
  };
  const byAddress = createInFlightLimit({
    maxInFlight: options.maxInFlightPerAddress,
    keyOf: options.addressOf,
    onEnd: onRequestEnd,
    refuse: refuse('address_in_flight', 'Too many requests from your address are in flight.'),
  });
  const byUser = createInFlightLimit({
    maxInFlight: options.maxInFlightPerUser,
    keyOf: (_request, response) => sessionOf(response).userId,
    // A client that leaves does not end the work on its request.
    onEnd: onRequestAndWorkEnd,
    refuse: refuse('user_in_flight', 'Too many of your requests are in flight.'),
  });
  const exportsByUser = createInFlightLimit({
    maxInFlight: 1,
    keyOf: (_request, response) => sessionOf(response).userId,
    onEnd: onRequestEnd,
    refuse: refuse('export', 'Another export of yours is in flight.'),
  });
  const exportsInTotal = createInFlightLimit({
    maxInFlight: MAX_EXPORTS,
    keyOf: () => 'all',
    onEnd: onRequestEnd,
    refuse: () => {
      options.onShed('export');
      return overloaded();
    },
  });
  return { byAddress, byUser, exports: [exportsByUser, exportsInTotal] };
};
