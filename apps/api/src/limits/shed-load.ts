import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger, ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler } from 'express';
import { createProblem } from '../http/problems.ts';
import { holdWhileWorking } from '../http/request-end.ts';

const RETRY_AFTER_S = 1;

/**
 * Limits how many requests are worked on at once.
 *
 * @param options.onFull - called when a request is refused for want of a slot
 */
export const createSlotPool = (options: { size: number; onFull: () => void }) => {
  let taken = 0;
  return {
    ...options,
    isFull: () => taken >= options.size,
    taken: () => taken,
    take() {
      taken += 1;
    },
    giveBack() {
      taken -= 1;
    },
  };
};
type SlotPool = ReturnType<typeof createSlotPool>;

export const overloaded = (): ProblemError =>
  createProblem('overloaded', 'The service has too much to do just now; try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    isExpected: true,
  });

/**
 * Makes the guard that takes a slot of each pool while the process works on a request, or refuses it with 503 `overloaded`.
 *
 * @param pools - all of them are needed
 */
export const createHoldSlots = (pools: readonly SlotPool[]): RequestHandler => {
  const slots = {
    take() {
      const full = pools.find((pool) => pool.isFull());
      if (full !== undefined) {
        full.onFull();
        throw overloaded();
      }
      for (const pool of pools) pool.take();
    },
    giveBack() {
      for (const pool of pools) pool.giveBack();
    },
  };
  return (_request, response, next) => {
    holdWhileWorking(response, slots);
    next();
  };
};

/** How often the event loop is sampled, and over which time the samples are averaged, in milliseconds. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 200;

export interface EventLoopDelay {
  /** How late timers were in the last fraction of a second, on average, in milliseconds. */
  recentMs(): number;
  close(): void;
}

/** Watches how far the event loop falls behind. */
export const watchEventLoopDelay = (): EventLoopDelay => {
  const samples = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  samples.enable();
  let recentMs = 0;
  const timer = setInterval(() => {
    recentMs = samples.count === 0 ? 0 : Math.max(0, samples.mean / 1e6 - RESOLUTION_MS);
    samples.reset();
  }, WINDOW_MS);
  timer.unref();
  return {
    recentMs: () => recentMs,
    close() {
      clearInterval(timer);
      samples.disable();
    },
  };
};

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
