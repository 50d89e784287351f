import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Logger, ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler, Response } from 'express';
import { createProblem } from '../http/create-problem.ts';
import { onWorkEnd } from '../http/request-end.ts';

/** Seconds after which a refused client may try again. */
const RETRY_AFTER_S = 1;

/** Limits how many requests are worked on at once. */
export interface SlotPool {
  size: number;
  isFull(): boolean;
  /** How many slots are taken. */
  taken(): number;
  take(): void;
  giveBack(): void;
  /** Called when a request is refused for want of a slot. */
  onFull(): void;
}

export const createSlotPool = (options: { size: number; onFull: () => void }): SlotPool => {
  let taken = 0;
  return {
    size: options.size,
    isFull: () => taken >= options.size,
    taken: () => taken,
    take() {
      taken += 1;
    },
    giveBack() {
      taken -= 1;
    },
    onFull: options.onFull,
  };
};

/** A request takes a slot while the process works on it, not while it waits for its client. */
export interface WorkSlots {
  /** Takes a slot, until the work has ended or the slot is released. */
  hold: RequestHandler;
  /** Releases the slot for the time in which the client sends a body. */
  release: RequestHandler;
}

export const overloaded = (): ProblemError =>
  createProblem('overloaded', 'The service has too much to do just now; try again shortly.', {
    headers: { 'retry-after': String(RETRY_AFTER_S) },
    isExpected: true,
  });

/**
 * Takes a slot of each pool for a request, or refuses it with 503 `overloaded`.
 *
 * @param pools - all of them are needed
 */
export const createWorkSlots = (pools: readonly SlotPool[]): WorkSlots => {
  const holders = new WeakSet<Response>();
  const release = (response: Response) => {
    if (!holders.delete(response)) return;
    for (const pool of pools) pool.giveBack();
  };
  return {
    hold(_request, response, next) {
      const full = pools.find((pool) => pool.isFull());
      if (full !== undefined) {
        full.onFull();
        throw overloaded();
      }
      for (const pool of pools) pool.take();
      holders.add(response);
      onWorkEnd(response, () => release(response));
      next();
    },
    release(_request, response, next) {
      release(response);
      next();
    },
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
