import type { Clock } from './clock.ts';
import { createInFlightLimit, type InFlightLimit } from './in-flight-limit.ts';
import type { CallPriority, QuotaEvent, QuotaStore } from './quota.ts';
import { DEFAULT_QUOTA_PRICES, type PricedRequest, priceOf, type QuotaPrices } from './quota-prices.ts';
import { TRANSIT_MS } from './stores/quota-window.ts';
import { createUnitQueue, type UnitClaim, type UnitQueue, type UnitsTaken } from './unit-queue.ts';

/** Most calls of one person in flight: beyond some 25 Gmail refuses them (Gmail API, "Resolve errors"). */
export const DEFAULT_CONCURRENT_CALLS = 25;
/** People without a call under way whose limits are still remembered. */
const REMEMBERED_USERS = 1_000;

/** What one person's calls may do, all calls of this process taken together. */
export interface UserQuota {
  priceOf(request: PricedRequest): number;
  /** Does the work once there is room in flight. */
  whenRoom<T>(priority: CallPriority, work: () => Promise<T>): Promise<T>;
  /** Waits for the units of one attempt. */
  takeUnits(priority: CallPriority, claim: UnitClaim): Promise<UnitsTaken>;
  /** Says that an attempt is over, whatever came of it. */
  finish(priority: CallPriority, price: number, taken: UnitsTaken): Promise<void>;
  /** Says that the provider answered well. */
  recover(): void;
  /** Says that the provider asked to slow down: nobody calls this person's mailbox for so long. */
  slowDown(startedMs: number, pauseMs: number): Promise<void>;
}

/** Keeps everybody's calls within what the provider allows. */
export interface QuotaGovernor {
  /** Works with one person's quota; people without work under way may be forgotten. */
  withUser<T>(userId: string, work: (quota: UserQuota) => Promise<T>): Promise<T>;
}

interface Person {
  inFlight: InFlightLimit;
  queues: Record<CallPriority, UnitQueue>;
  calls: number;
}

/**
 * Creates the governor: one for the whole process, since its limits hold for a person, not for a mailbox object.
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
  const people = new Map<string, Person>();

  const createUser = (userId: string): Person => {
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

  const enter = (userId: string): Person => {
    const person = people.get(userId) ?? createUser(userId);
    person.calls += 1;
    // At the end of the map stand those who called last.
    people.delete(userId);
    people.set(userId, person);
    return person;
  };

  const leave = (person: Person): void => {
    person.calls -= 1;
    for (const [idleId, { calls }] of people) {
      if (people.size <= REMEMBERED_USERS) return;
      if (calls === 0) people.delete(idleId);
    }
  };

  const quotaOf = (userId: string, person: Person): UserQuota => ({
    priceOf: (request) => priceOf(request, prices),
    whenRoom: person.inFlight.run,
    takeUnits: (priority, claim) => person.queues[priority].take(claim),
    async finish(priority, price, { slot, takenAtMs }) {
      const isLate = clock.nowMs() - takenAtMs > TRANSIT_MS;
      if (isLate) await store.postpone(userId, { slot, units: price, priority });
    },
    recover: () => person.inFlight.recover(),
    async slowDown(startedMs, pauseMs) {
      person.inFlight.backOff(startedMs);
      observe({ type: 'paused', pauseMs });
      await store.pause(userId, pauseMs);
    },
  });

  return {
    async withUser(userId, work) {
      const person = enter(userId);
      try {
        return await work(quotaOf(userId, person));
      } finally {
        leave(person);
      }
    },
  };
};
