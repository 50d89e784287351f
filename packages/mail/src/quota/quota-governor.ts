import type { Clock } from '@mailsweep/service-kit/resilience';
import pLimit from 'p-limit';
import { type CallPriority, type QuotaEvent, type QuotaStore, TRANSIT_MS } from './quota.ts';
import { DEFAULT_QUOTA_PRICES, type PricedRequest, priceOf, type QuotaPrices } from './quota-prices.ts';
import { createUnitQueue, type UnitClaim, type UnitQueue, type UnitsTaken } from './unit-queue.ts';

/** Most calls of one user in flight: beyond some 25 Gmail refuses them (Gmail API, "Resolve errors"). */
const DEFAULT_CONCURRENT_CALLS = 25;
/** Users without a call in flight whose limits are remembered. */
const REMEMBERED_USERS = 1_000;

/** What one user's calls may do, all calls of this process taken together. */
export interface UserQuota {
  priceOf(request: PricedRequest): number;
  /** Does the work once there is room in flight. */
  whenRoom<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
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

/** The share of the calls in flight that is reserved for background calls. */
const BACKGROUND_SHARE = 0.2;

/** A limit on one user's calls in flight, which adapts to how many the provider accepts. */
export interface InFlightLimit {
  /** Does the work as soon as its priority has room for it. */
  run<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
  /** Raises the limit: by one call after about as many good responses as may be in flight. */
  recover(): void;
  /**
   * Halves the limit, once for all the calls that were in flight together.
   *
   * @param startedMs - when the call was sent that the provider refused
   */
  backOff(startedMs: number): void;
}

/**
 * Additive increase, multiplicative decrease, between 2 calls and the limit.
 *
 * @param options.concurrentCalls - the most calls in flight
 */
const createInFlightLimit = (options: {
  concurrentCalls: number;
  nowMs: () => number;
  onChange: (limit: number) => void;
}): InFlightLimit => {
  const { concurrentCalls: most, nowMs, onChange } = options;
  const least = Math.min(2, most);
  const split = (limit: number): Record<CallPriority, number> => {
    const background = Math.max(1, Math.floor(limit * BACKGROUND_SHARE));
    return { interactive: Math.max(1, Math.floor(limit) - background), background };
  };
  const limits = {
    interactive: pLimit(split(most).interactive),
    background: pLimit(split(most).background),
  };
  let allowed = most;
  let cutAtMs = Number.NEGATIVE_INFINITY;

  const allow = (limit: number): void => {
    const hasChanged = Math.floor(limit) !== Math.floor(allowed);
    allowed = limit;
    if (!hasChanged) return;
    const { interactive, background } = split(allowed);
    limits.interactive.concurrency = interactive;
    limits.background.concurrency = background;
    onChange(Math.floor(allowed));
  };

  return {
    run: (priority, work) => limits[priority](work),
    recover() {
      if (allowed < most) allow(Math.min(most, allowed + 1 / allowed));
    },
    backOff(startedMs) {
      if (startedMs <= cutAtMs) return;
      cutAtMs = nowMs();
      allow(Math.max(least, allowed / 2));
    },
  };
};

/** A governor that reports every unit that is taken through it, so that one piece of work knows what it cost. */
export const meterQuota = (governor: QuotaGovernor, onUnits: (units: number) => void): QuotaGovernor => ({
  withUser: (userId, work) =>
    governor.withUser(userId, (quota) =>
      work({
        ...quota,
        async takeUnits(priority, claim) {
          const taken = await quota.takeUnits(priority, claim);
          onUnits(claim.price);
          return taken;
        },
      }),
    ),
});
