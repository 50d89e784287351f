import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Clock } from '@mailsweep/service-kit/resilience';
import type { CallPriority, QuotaEvent, QuotaStore } from './quota.ts';

/** Longest wait before a refused call asks again, in milliseconds; below the time that others stand back for it. */
const ASK_AGAIN_MS = 1_000;

export interface UnitClaim {
  price: number;
  /** Whether the call can wait so long, in milliseconds, from now on. */
  mayWait: (waitMs: number) => boolean;
  /** The error for a call that can't. */
  toRefusal: (retryAfterMs: number) => Error;
  /** Ends the wait with the signal's reason. */
  signal: AbortSignal;
}

/** Units that a call has, to be used at once. */
export interface UnitsTaken {
  slot: number;
  /** No later than when the store wrote them down. */
  takenAtMs: number;
}

interface Waiting extends UnitClaim {
  sinceMs: number;
  /** Whether the store had no units for it once. */
  wasRefused: boolean;
  end: (taken: UnitsTaken | Error) => void;
}

/** The queue of one user's calls of one priority for quota units: first come, first served. */
export interface UnitQueue {
  take(claim: UnitClaim): Promise<UnitsTaken>;
}

/**
 * Creates the line. Calls that come together ask the store together.
 */
export const createUnitQueue = (options: {
  userId: string;
  priority: CallPriority;
  store: QuotaStore;
  clock: Clock;
  observe: (event: QuotaEvent) => void;
}): UnitQueue => {
  const { userId, priority, store, clock, observe } = options;
  let waiting: Waiting[] = [];
  let isServing = false;

  const leave = (claim: Waiting, outcome: UnitsTaken | Error): void => {
    waiting = waiting.filter((other) => other !== claim);
    claim.end(outcome);
  };

  const serveOnce = async (): Promise<number> => {
    const asking = [...waiting];
    const takenAtMs = clock.nowMs();
    const prices = asking.map(({ price }) => price);
    const { granted, slot, waitMs, waitForAllMs } = await store.take(userId, prices, priority);
    for (const claim of asking.slice(0, granted)) {
      leave(claim, { slot, takenAtMs });
      observe({ type: 'units_taken', priority, units: claim.price });
      const waitedMs = takenAtMs - claim.sinceMs;
      // The way to the store is no wait for units.
      if (claim.wasRefused) observe({ type: 'waited', priority, waitMs: waitedMs });
    }
    // Not those who left the line meanwhile.
    const refused = asking.slice(granted).filter((claim) => waiting.includes(claim));
    for (const claim of refused) claim.wasRefused = true;
    for (const claim of refused.filter(({ mayWait }) => !mayWait(waitMs))) {
      observe({ type: 'gave_up', priority, retryAfterMs: waitForAllMs });
      leave(claim, claim.toRefusal(waitForAllMs));
    }
    return waitMs;
  };

  const serve = async (): Promise<void> => {
    if (isServing) return;
    isServing = true;
    try {
      while (waiting.length > 0) {
        await nextTurn();
        const waitMs = waiting.length === 0 ? 0 : await serveOnce();
        if (waitMs > 0 && waiting.length > 0) await clock.sleep(Math.min(waitMs, ASK_AGAIN_MS));
      }
    } catch (error) {
      const reason = error instanceof Error ? error : new Error('no units', { cause: error });
      for (const claim of waiting) leave(claim, reason);
    } finally {
      isServing = false;
    }
  };

  return {
    take: (claim) =>
      new Promise((resolve, reject) => {
        const { signal } = claim;
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const abandon = () => leave(entry, signal.reason);
        const entry: Waiting = {
          ...claim,
          sinceMs: clock.nowMs(),
          wasRefused: false,
          end(outcome) {
            signal.removeEventListener('abort', abandon);
            if ('slot' in outcome) resolve(outcome);
            else reject(outcome);
          },
        };
        signal.addEventListener('abort', abandon, { once: true });
        waiting.push(entry);
        void serve();
      }),
  };
};
