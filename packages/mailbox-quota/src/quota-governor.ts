import type { Clock } from '@mailsweep/service-kit/resilience';
import { createInFlightLimit, type InFlightLimit } from './in-flight-limit.ts';
import type { CallPriority, QuotaEvent, QuotaStore } from './quota.ts';
import { DEFAULT_QUOTA_PRICES, type PricedRequest, priceOf, type QuotaPrices } from './quota-prices.ts';
import { TRANSIT_MS } from './stores/quota-window.ts';
import { createUnitQueue, type UnitClaim, type UnitQueue, type UnitsTaken } from './unit-queue.ts';

/** Most calls of one user in flight: beyond some 25 Gmail refuses them (Gmail API, "Resolve errors"). */
export const DEFAULT_CONCURRENT_CALLS = 25;
/** Users without a call in flight whose limits are remembered. */
const REMEMBERED_USERS = 1_000;

/** What one user's calls may do, all calls of this process taken together. */
export interface UserQuota {
  priceOf(request: PricedRequest): number;
  /** Does the work once there is room in flight. */
  whenRoom<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
  /** Waits for the units of one attempt. */
  takeUnits(priority: CallPriority, claim: UnitClaim): Promise<UnitsTaken>;
  /** Reports the end of an attempt, whatever its outcome. */
  finish(priority: CallPriority, price: number, taken: UnitsTaken): Promise<void>;
  /** Reports a good response. */
  recover(): void;
  /** Reports that the provider asked to slow down: no call of this user starts for so long. */
  slowDown(startedMs: number, pauseMs: number): Promise<void>;
}

/** Keeps the calls of all users within what the provider allows. */
export interface QuotaGovernor {
  /** Works with one user's quota. */
  withUser<T>(userId: string, work: (quota: UserQuota) => Promise<T>): Promise<T>;
}

interface User {
  inFlight: InFlightLimit;
  queues: Record<CallPriority, UnitQueue>;
  calls: number;
}

/**
 * Creates the governor: one for the whole process, since its limits hold for a user, not for a mailbox object.
 *
 * @param options.observe - is told what happens, for metrics
 */
export const createQuotaGovernor = (options: {
  store: QuotaStore;
  clock: Clock;
  prices?: QuotaPrices | undefined;
  concurrentCalls?: number | undefined;
  observe?: ((event: QuotaEvent) => void) | undefined;
}): QuotaGovernor => {
  const { store, clock, prices = DEFAULT_QUOTA_PRICES, observe = () => undefined } = options;
  const concurrentCalls = options.concurrentCalls ?? DEFAULT_CONCURRENT_CALLS;
  const users = new Map<string, User>();

  const createUser = (userId: string): User => {
    const queueOf = (priority: CallPriority) =>
      createUnitQueue({
        userId,
        priority,
        store,
        clock,
        observe,
      });
    return {
      inFlight: createInFlightLimit({
        concurrentCalls,
        nowMs: clock.nowMs,
        onChange: (limit) => observe({ type: 'concurrency_changed', limit }),
      }),
      queues: { interactive: queueOf('interactive'), background: queueOf('background') },
      calls: 0,
    };
  };

  const enter = (userId: string): User => {
    const user = users.get(userId) ?? createUser(userId);
    user.calls += 1;
    // Those who called last are at the end of the map.
    users.delete(userId);
    users.set(userId, user);
    return user;
  };

  const leave = (user: User): void => {
    user.calls -= 1;
    for (const [idleId, { calls }] of users) {
      if (users.size <= REMEMBERED_USERS) return;
      if (calls === 0) users.delete(idleId);
    }
  };

  const quotaOf = (userId: string, user: User): UserQuota => ({
    priceOf: (request) => priceOf(request, prices),
    whenRoom: user.inFlight.run,
    takeUnits: (priority, claim) => user.queues[priority].take(claim),
    async finish(priority, price, { slot, takenAtMs }) {
      const isLate = clock.nowMs() - takenAtMs > TRANSIT_MS;
      if (isLate) await store.postpone(userId, { slot, units: price, priority });
    },
    recover: () => user.inFlight.recover(),
    async slowDown(startedMs, pauseMs) {
      user.inFlight.backOff(startedMs);
      observe({ type: 'paused', pauseMs });
      await store.pause(userId, pauseMs);
    },
  });

  return {
    async withUser(userId, work) {
      const user = enter(userId);
      try {
        return await work(quotaOf(userId, user));
      } finally {
        leave(user);
      }
    },
  };
};
