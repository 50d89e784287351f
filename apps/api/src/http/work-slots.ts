import { ProblemError } from '@mailsweep/service-kit';
import type { RequestHandler, Response } from 'express';
import { onWorkEnd } from './request-end.ts';

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
  new ProblemError(503, 'overloaded', 'The service has too much to do just now; try again shortly.', {
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
