import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { type QuotaStore, SLOT_MS } from '../quota.ts';
import { createMemoryQuotaStore } from './memory-quota-store.ts';
import { createPostgresQuotaStore } from './postgres-quota-store.ts';
import { createRedisQuotaStore } from './redis-quota-store.ts';
import { createSharedQuotaStore } from './shared-quota-store.ts';

const LIMITS = { unitsPerMinute: 1_000, interactiveReserve: 0.1 };
const redisUrl = inject('redisUrl');
const note = redisUrl === null ? ' (skipped: this machine has no redis-server)' : '';

const openRedis = (): Redis => {
  const redis = new Redis(redisUrl ?? '', { maxRetriesPerRequest: 0, commandTimeout: 5_000 });
  onTestFinished(() => redis.disconnect());
  return redis;
};
const openStore = (limits = LIMITS): QuotaStore => createRedisQuotaStore({ ...limits, redis: openRedis() });
const newUser = (): string => randomUUID();
const repeat = (price: number, times: number): number[] => Array.from({ length: times }, () => price);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

/** Each call opens the store as another process has it. */
const STORES = [
  { place: `Redis${note}`, isThere: redisUrl !== null, openStore: () => openStore() },
  {
    place: 'Postgres',
    isThere: true,
    openStore: () => createPostgresQuotaStore({ ...LIMITS, database: db.database }),
  },
];

describe.each(STORES)('quota units that processes count together in $place', ({ isThere, openStore }) => {
  it.skipIf(!isThere)('are granted to two replicas together no more than to one', async () => {
    const replicas = [openStore(), openStore(), openStore()];
    const userId = newUser();
    const grants = await Promise.all(
      Array.from({ length: 150 }, (_, index) =>
        replicas[index % 3]?.take(userId, repeat(20, 1 + (index % 4)), 'interactive'),
      ),
    );
    expect(grants.reduce((sum, grant) => sum + (grant?.granted ?? 0), 0)).toBe(50);
    expect(await replicas[0]?.take(newUser(), [1_000], 'interactive')).toMatchObject({ granted: 1 });
  });

  it.skipIf(!isThere)(
    'are not granted to any replica during a pause, and a shorter pause does not end it',
    async () => {
      const [one, other] = [openStore(), openStore()];
      const userId = newUser();
      await one.pause(userId, 30_000);
      await other.pause(userId, 10);
      const refused = await other.take(userId, [5], 'interactive');
      expect(refused.granted).toBe(0);
      expect(refused.waitMs).toBeGreaterThan(20_000);
      expect(await other.take(newUser(), [5], 'interactive')).toMatchObject({ granted: 1 });
    },
  );

  it.skipIf(!isThere)(
    'are left by background calls of one replica to a user who waits at another',
    async () => {
      const [api, worker] = [openStore(), openStore()];
      const userId = newUser();
      await api.take(userId, repeat(20, 20), 'interactive');
      expect(await worker.take(userId, [5], 'background')).toMatchObject({ granted: 1 });
      expect(await api.take(userId, repeat(20, 31), 'interactive')).toMatchObject({ granted: 29 });
      const held = await worker.take(userId, [5], 'background');
      expect(held.granted).toBe(0);
    },
  );
});

describe.skipIf(redisUrl === null)(`quota units in Redis${note}`, () => {
  it('count as in memory, whatever was taken when, and by whom', async () => {
    const redis = openRedis();
    const store = openStore();
    const taken = fc.record({
      slotsAgo: fc.integer({ min: 2, max: 140 }),
      units: fc.integer({ min: 1, max: 120 }),
      priority: fc.constantFrom('interactive' as const, 'background' as const),
    });
    const asked = fc.array(fc.constantFrom(1, 5, 20, 50), { minLength: 1, maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(taken, { maxLength: 40 }),
        asked,
        fc.constantFrom('interactive' as const, 'background' as const),
        async (history, prices, priority) => {
          const userId = newUser();
          const redisNow = async () => {
            const [seconds = 0, micros = 0] = (await redis.time()).map(Number);
            return seconds * 1_000 + Math.floor(micros / 1_000);
          };
          // Away from the end of a slot: time goes on between the two stores.
          while ((await redisNow()) % SLOT_MS > SLOT_MS - 100) await redis.ping();
          const nowMs = await redisNow();
          const slot = Math.floor(nowMs / SLOT_MS);
          let memoryMs = 0;
          const memory = createMemoryQuotaStore({ ...LIMITS, nowMs: () => memoryMs });
          for (const { slotsAgo, units, priority: by } of history.toSorted(
            (a, b) => b.slotsAgo - a.slotsAgo,
          )) {
            memoryMs = (slot - slotsAgo) * SLOT_MS;
            await memory.postpone(userId, { slot: -1, units, priority: by });
            const field = `${by === 'background' ? 'b' : 'i'}${slot - slotsAgo}`;
            await redis.hincrby(`mailbox-quota:{${userId}}:units`, field, units);
          }
          memoryMs = nowMs;
          const expected = await memory.take(userId, prices, priority);
          const actual = await store.take(userId, prices, priority);
          expect({ granted: actual.granted, slot: actual.slot }).toEqual({
            granted: expected.granted,
            slot: expected.slot,
          });
          expect(Math.abs(actual.waitMs - expected.waitMs)).toBeLessThan(100);
          expect(Math.abs(actual.waitForAllMs - expected.waitForAllMs)).toBeLessThan(100);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('move on with a call that took long', async () => {
    const redis = openRedis();
    const store = openStore();
    const userId = newUser();
    const key = `mailbox-quota:{${userId}}:units`;
    const { slot } = await store.take(userId, [40], 'background');
    await redis.hset(key, `b${slot - 20}`, 30);
    await store.postpone(userId, { slot: slot - 20, units: 30, priority: 'background' });
    const counted = Object.entries(await redis.hgetall(key)).filter(([, units]) => units !== '0');
    expect(counted.reduce((sum, [, units]) => sum + Number(units), 0)).toBe(70);
    expect(counted.every(([field]) => Number(field.slice(1)) >= slot)).toBe(true);
  });

  it('leave nothing behind once they count no more', async () => {
    const redis = openRedis();
    const store = openStore();
    const userId = newUser();
    await store.take(userId, [600, 600], 'interactive');
    await store.pause(userId, 1_000);
    const keys = await redis.keys(`mailbox-quota:{${userId}}:*`);
    expect(keys).toHaveLength(3);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });
});

describe.skipIf(redisUrl === null)(`quota units while Redis is away${note}`, () => {
  const setUp = () => {
    let nowMs = Date.now();
    let isAway = false;
    let asked = 0;
    const errors: unknown[] = [];
    const redis = openStore();
    const awayOr = <T>(work: () => Promise<T>): Promise<T> => {
      asked += 1;
      return isAway ? Promise.reject(new Error('gone')) : work();
    };
    const shared: QuotaStore = {
      take: (...question) => awayOr(() => redis.take(...question)),
      postpone: (...question) => awayOr(() => redis.postpone(...question)),
      pause: (...question) => awayOr(() => redis.pause(...question)),
    };
    const store = createSharedQuotaStore({
      shared,
      local: createMemoryQuotaStore({ ...LIMITS, nowMs: () => nowMs }),
      onUnavailable: (error) => errors.push(error),
      nowMs: () => nowMs,
    });
    return {
      store,
      redis,
      errors,
      asked: () => asked,
      setAway: (away: boolean) => {
        isAway = away;
      },
      advance: (ms: number) => {
        nowMs += ms;
      },
    };
  };

  it('are counted in memory, which knows what this process took before', async () => {
    const { store, setAway } = setUp();
    const userId = newUser();
    await store.take(userId, repeat(20, 30), 'interactive');
    setAway(true);
    expect(await store.take(userId, repeat(20, 30), 'interactive')).toMatchObject({ granted: 20 });
  });

  it('are reported to Redis when it is back', async () => {
    const { store, redis, setAway, advance } = setUp();
    const userId = newUser();
    setAway(true);
    await store.take(userId, repeat(20, 4), 'background');
    await store.take(userId, repeat(20, 30), 'interactive');
    setAway(false);
    advance(1_000);
    expect(await store.take(userId, [20], 'interactive')).toMatchObject({ granted: 1 });
    expect(await redis.take(userId, repeat(20, 30), 'interactive')).toMatchObject({ granted: 15 });
  });

  it('cost its time-out once in a while, not for each call', async () => {
    const { store, setAway, asked, errors, advance } = setUp();
    setAway(true);
    for (let call = 0; call < 10; call += 1) await store.take(newUser(), [5], 'interactive');
    await store.pause(newUser(), 1_000);
    expect(asked()).toBe(1);
    advance(1_000);
    await store.take(newUser(), [5], 'interactive');
    expect(asked()).toBe(2);
    expect(errors).toHaveLength(2);
  });

  it('stay with a pause that the provider asked for', async () => {
    const { store, setAway } = setUp();
    const userId = newUser();
    await store.pause(userId, 30_000);
    setAway(true);
    expect(await store.take(userId, [5], 'interactive')).toMatchObject({ granted: 0, waitMs: 30_000 });
  });
});
