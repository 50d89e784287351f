import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { QuotaStore } from '../quota.ts';
import { createMemoryQuotaStore } from './memory-quota-store.ts';
import { createPostgresQuotaStore } from './postgres-quota-store.ts';
import { createSharedQuotaStore } from './shared-quota-store.ts';

const LIMITS = { unitsPerMinute: 1_000, interactiveReserve: 0.1 };

/** As another process has it. */
const openStore = (): QuotaStore => createPostgresQuotaStore({ ...LIMITS, database: db.database });
const newUser = (): string => randomUUID();
const repeat = (price: number, times: number): number[] => Array.from({ length: times }, () => price);

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());

describe('quota units that processes count together', () => {
  it('are granted to two replicas together no more than to one', async () => {
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

  it('are not granted to any replica during a pause, and a shorter pause does not end it', async () => {
    const [one, other] = [openStore(), openStore()];
    const userId = newUser();
    await one.pause(userId, 30_000);
    await other.pause(userId, 10);
    const refused = await other.take(userId, [5], 'interactive');
    expect(refused.granted).toBe(0);
    expect(refused.waitMs).toBeGreaterThan(20_000);
    expect(await other.take(newUser(), [5], 'interactive')).toMatchObject({ granted: 1 });
  });

  it('are left by background calls of one replica to a user who waits at another', async () => {
    const [api, worker] = [openStore(), openStore()];
    const userId = newUser();
    await api.take(userId, repeat(20, 20), 'interactive');
    expect(await worker.take(userId, [5], 'background')).toMatchObject({ granted: 1 });
    expect(await api.take(userId, repeat(20, 31), 'interactive')).toMatchObject({ granted: 29 });
    const held = await worker.take(userId, [5], 'background');
    expect(held.granted).toBe(0);
  });

  it('move on with a call that took long', async () => {
    const store = openStore();
    const userId = newUser();
    const { slot } = await store.take(userId, [40], 'background');
    const earlier = JSON.stringify([[slot - 20, 0, 30]]);
    await db.query(
      `UPDATE "QuotaLedger" SET "ledger" = jsonb_set("ledger", '{slots}', $2::jsonb || ("ledger" -> 'slots'))
       WHERE "userId" = $1::uuid`,
      [userId, earlier],
    );
    await store.postpone(userId, { slot: slot - 20, units: 30, priority: 'background' });
    const [row] = await db.query<{ ledger: { slots: [number, number, number][] } }>(
      'SELECT "ledger" FROM "QuotaLedger" WHERE "userId" = $1::uuid',
      [userId],
    );
    const counted = row?.ledger.slots.filter(([, , units]) => units !== 0) ?? [];
    expect(counted.reduce((sum, [, , units]) => sum + units, 0)).toBe(70);
    expect(counted.every(([noted]) => noted >= slot)).toBe(true);
  });
});

describe('quota units while the database is away', () => {
  const setUp = () => {
    let nowMs = Date.now();
    let isAway = false;
    let asked = 0;
    const errors: unknown[] = [];
    const counted = openStore();
    const awayOr = <T>(work: () => Promise<T>): Promise<T> => {
      asked += 1;
      return isAway ? Promise.reject(new Error('gone')) : work();
    };
    const shared: QuotaStore = {
      take: (...question) => awayOr(() => counted.take(...question)),
      postpone: (...question) => awayOr(() => counted.postpone(...question)),
      pause: (...question) => awayOr(() => counted.pause(...question)),
    };
    const store = createSharedQuotaStore({
      shared,
      local: createMemoryQuotaStore({ ...LIMITS, nowMs: () => nowMs }),
      onUnavailable: (error) => errors.push(error),
      nowMs: () => nowMs,
    });
    return {
      store,
      counted,
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

  it('are reported to the database when it is back', async () => {
    const { store, counted, setAway, advance } = setUp();
    const userId = newUser();
    setAway(true);
    await store.take(userId, repeat(20, 4), 'background');
    await store.take(userId, repeat(20, 30), 'interactive');
    setAway(false);
    advance(1_000);
    expect(await store.take(userId, [20], 'interactive')).toMatchObject({ granted: 1 });
    expect(await counted.take(userId, repeat(20, 30), 'interactive')).toMatchObject({ granted: 15 });
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
