import type { Logger } from '@mailsweep/service-kit';
import type { RequestHandler } from 'express';
import { overloaded, type SlotPool } from './work-slots.ts';

/** Event-loop delay at which requests are refused, in milliseconds; operators are to be alarmed at 200. */
const LONGEST_DELAY_MS = 150;
/** Requests at work that are always served: a slow machine is not yet an overload. */
const ALWAYS_SERVED = 100;

/**
 * Refuses requests fast when the process has more to do than it can do well: all slots are taken, or the event loop
 * falls behind (docs/decisions/026).
 *
 * @param options.slots - the slots of all requests
 * @param options.isExempt - whether a path is never refused
 * @param options.delayMs - the event loop's present delay
 * @param options.onShed - called with the reason of each refusal
 */
export const createLoadShedding = (options: {
  slots: SlotPool;
  isExempt: (path: string) => boolean;
  delayMs: () => number;
  onShed: (reason: 'in_flight' | 'event_loop') => void;
  logger: Logger;
}): RequestHandler => {
  const { slots, isExempt, delayMs, onShed, logger } = options;
  let isShedding = false;

  const findReason = (): 'in_flight' | 'event_loop' | undefined => {
    if (slots.isFull()) return 'in_flight';
    return slots.taken() >= ALWAYS_SERVED && delayMs() > LONGEST_DELAY_MS ? 'event_loop' : undefined;
  };

  return (request, _response, next) => {
    if (isExempt(request.path)) return next();
    const reason = findReason();
    if (reason !== undefined) {
      if (!isShedding) logger.warn({ reason }, 'overloaded: refusing requests');
      isShedding = true;
      onShed(reason);
      throw overloaded();
    }
    // Half of the slots, so that the log does not flicker with the load.
    if (isShedding && slots.taken() < slots.size / 2 && delayMs() <= LONGEST_DELAY_MS) {
      logger.info('no longer overloaded: serving all requests');
      isShedding = false;
    }
    next();
  };
};
