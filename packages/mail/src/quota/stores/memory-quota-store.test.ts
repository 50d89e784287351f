import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CallPriority, DEFAULT_QUOTA_LIMITS, HOLD_MS, MAX_PAUSE_MS, TRANSIT_MS } from '../quota.ts';
import { createProviderMinute } from '../testing/provider-minute.ts';
import { createMemoryQuotaStore } from './memory-quota-store.ts';

const START_MS = Date.UTC(2026, 0, 1);

const setUp = (unitsPerMinute = 6_000, interactiveReserve = 0.05) => {
  let nowMs = START_MS;
  const store = createMemoryQuotaStore({ unitsPerMinute, interactiveReserve, nowMs: () => nowMs });
  return {
    take: (prices: number[], priority: CallPriority = 'interactive', userId = 'ada') =>
      store.take(userId, prices, priority),
    store,
    nowMs: () => nowMs,
    advance: (ms: number) => {
      nowMs += ms;
    },
  };
};

const repeat = (price: number, times: number): number[] => Array.from({ length: times }, () => price);

describe('units of the minute', () => {
  it('are never granted beyond what the provider allows, whenever within a call it counts', async () => {
    const priority = fc.constantFrom<CallPriority>('interactive', 'background');
    const step = fc.record({
      pauseMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4_000 })),
      prices: fc.array(fc.constantFrom(1, 2, 5, 20, 50), { minLength: 1, maxLength: 30 }),
      priority,
      tookMs: fc.oneof(fc.constant(TRANSIT_MS), fc.integer({ min: 0, max: 10_000 })),
      /** When the provider counts: 0 when the call was sent, 1 when it was answered. */
      countedAt: fc.constantFrom(0, 0.5, 1),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 120 }),
        fc.integer({ min: 60, max: 700 }),
        fc.integer({ min: 0, max: 499 }),
        async (steps, limit, offsetMs) => {
          const { store, take, nowMs, advance } = setUp(limit, 0.1);
          advance(offsetMs);
          const provider = createProviderMinute();
          const responses: { atMs: number; postpone: () => Promise<void> }[] = [];
          const passTime = async (ms: number) => {
            const untilMs = nowMs() + ms;
            responses.sort((one, other) => one.atMs - other.atMs);
            while (responses[0] && responses[0].atMs <= untilMs) {
              const response = responses.shift();
              advance((response?.atMs ?? 0) - nowMs());
              await response?.postpone();
            }
            advance(untilMs - nowMs());
          };
          // The units of the very first call are wanted back as soon as anybody might think them free.
          const first = {
            pauseMs: 0,
            prices: [limit],
            priority: 'interactive' as const,
            tookMs: TRANSIT_MS,
            countedAt: 1,
          };
          for (const { pauseMs, prices, priority, tookMs, countedAt } of [first, ...steps]) {
            await passTime(pauseMs);
            let grant = await take(prices, priority);
            if (grant.granted === 0) {
              await passTime(grant.waitMs);
              grant = await take(prices, priority);
            }
            const { granted, slot } = grant;
            const units = prices.slice(0, granted).reduce((sum, price) => sum + price, 0);
            provider.count(nowMs() + Math.round(tookMs * countedAt), units);
            if (tookMs > TRANSIT_MS) {
              const postpone = () => store.postpone('ada', { slot, units, priority });
              responses.push({ atMs: nowMs() + tookMs, postpone });
            }
          }
          expect(provider.peak()).toBeLessThanOrEqual(limit);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('are granted again at the moment that the response named', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 1, max: 40 })), {
          minLength: 1,
          maxLength: 40,
        }),
        fc.integer({ min: 1, max: 100 }),
        async (takes, price) => {
          const { take, advance } = setUp(100);
          for (const [pauseMs, units] of takes) {
            advance(pauseMs);
            await take([units]);
          }
          const { granted, waitMs } = await take([price]);
          if (granted === 1) return;
          advance(waitMs - 1);
          expect((await take([price])).granted).toBe(0);
          advance(1);
          expect((await take([price])).granted).toBe(1);
        },
      ),
    );
  });

  it('are all there for a burst: a cold page needs no wait', async () => {
    const { take } = setUp();
    expect(await take([5, ...repeat(20, 100)])).toMatchObject({ granted: 101, waitMs: 0 });
  });

  it('are granted to the first of those asked for, and the rest hear when all of them have a chance', async () => {
    const { take, advance } = setUp(100);
    await take([60]);
    advance(10_000);
    expect(await take([40, 30, 40])).toMatchObject({ granted: 1, waitMs: 51_000, waitForAllMs: 61_000 });
  });

  it('let a call that costs more than a whole minute have one of its own', async () => {
    const { take, advance } = setUp(40, 0);
    await take([5]);
    expect(await take([50])).toMatchObject({ granted: 0 });
    advance(61_000);
    expect(await take([50])).toMatchObject({ granted: 1 });
  });

  it('are each user’s own', async () => {
    const { take } = setUp(100);
    await take([100]);
    expect(await take([100], 'interactive', 'grace')).toMatchObject({ granted: 1 });
  });
});

describe('background calls', () => {
  it('use more than nine tenths of a minute’s units in a long walk, and never too many', async () => {
    for (const price of [5, 20, 50]) {
      const { take, nowMs, advance } = setUp();
      const provider = createProviderMinute();
      while (nowMs() < START_MS + 20 * 60_000) {
        const { granted, waitMs } = await take(repeat(price, 25), 'background');
        provider.count(nowMs(), granted * price);
        advance(Math.max(waitMs, granted > 0 ? 50 : 1));
      }
      const used = provider.total(START_MS + 60_000, START_MS + 20 * 60_000) / (19 * 6_000);
      expect(used).toBeGreaterThan(0.9);
      expect(provider.peak()).toBeLessThanOrEqual(6_000);
    }
  });

  it('leave the reserve to users, and spread what they take over the minute', async () => {
    const { take, nowMs, advance } = setUp();
    const inTenSeconds: number[] = [];
    for (let part = 0; part < 6; part += 1) {
      let units = 0;
      for (const untilMs = nowMs() + 10_000; nowMs() < untilMs; advance(100)) {
        units += 20 * (await take(repeat(20, 25), 'background')).granted;
      }
      inTenSeconds.push(units);
    }
    expect(Math.max(...inTenSeconds)).toBeLessThan(2_000);
    expect(await take(repeat(20, 15))).toMatchObject({ granted: 15 });
  });

  it('stand back while a user’s call waits, and go on when it has what it needs', async () => {
    const { take, advance } = setUp(100, 0);
    await take([100]);
    advance(60_500);
    expect(await take([90])).toMatchObject({ granted: 0 });
    advance(500);
    expect(await take([10], 'background')).toMatchObject({ granted: 0, waitMs: HOLD_MS - 500 });
    expect(await take([50])).toMatchObject({ granted: 1 });
    advance(HOLD_MS);
    expect(await take([10], 'background')).toMatchObject({ granted: 1 });
  });

  it('leave a user who comes at any moment of a scan what three cold pages of 30 emails cost', async () => {
    const { unitsPerMinute, interactiveReserve } = DEFAULT_QUOTA_LIMITS;
    const coldPage = [5, ...repeat(20, 30)];
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 180_000 }), async (scannedMs) => {
        const { take, nowMs, advance } = setUp(unitsPerMinute, interactiveReserve);
        while (nowMs() < START_MS + scannedMs) {
          await take(repeat(20, 5), 'background');
          advance(200);
        }
        for (let page = 0; page < 3; page += 1) {
          expect(await take(coldPage)).toMatchObject({ granted: coldPage.length });
          await take(repeat(20, 5), 'background');
        }
      }),
      { numRuns: 30 },
    );
  });

  it('step back while a user reads, so that page after page needs no wait', async () => {
    const { unitsPerMinute, interactiveReserve } = DEFAULT_QUOTA_LIMITS;
    const { take, nowMs, advance } = setUp(unitsPerMinute, interactiveReserve);
    const scan = async (ms: number) => {
      let units = 0;
      for (const untilMs = nowMs() + ms; nowMs() < untilMs; advance(200))
        units += 20 * (await take(repeat(20, 5), 'background')).granted;
      return units;
    };
    await scan(90_000);
    expect(await scan(60_000)).toBeGreaterThan(3_200);
    const coldPage = [5, ...repeat(20, 30)];
    for (let page = 0; page < 6; page += 1) {
      expect(await take(coldPage)).toMatchObject({ granted: coldPage.length });
      expect(await scan(5_000)).toBe(0);
    }
    await scan(60_000);
    expect(await scan(60_000)).toBeGreaterThan(3_200);
  });
});

describe('a pause', () => {
  it('holds up everything of that user for as long as was asked, and nobody else', async () => {
    const { take, store, advance } = setUp();
    await store.pause('ada', 7_000);
    await store.pause('ada', 1_000);
    expect(await take([5])).toMatchObject({ granted: 0, waitMs: 7_000 });
    expect(await take([5], 'background')).toMatchObject({ granted: 0 });
    expect(await take([5], 'interactive', 'grace')).toMatchObject({ granted: 1 });
    advance(7_000);
    expect(await take([5])).toMatchObject({ granted: 1 });
  });

  it('is not obeyed beyond an hour', async () => {
    const { take, store } = setUp();
    await store.pause('ada', 10 * MAX_PAUSE_MS);
    expect(await take([5])).toMatchObject({ waitMs: MAX_PAUSE_MS });
  });
});

describe('the limits', () => {
  it.each([
    [0, 0.05],
    [6_000, 1],
    [6_000, -0.1],
    [Number.NaN, 0],
  ])('have to leave room for calls: %s units, reserve %s', (unitsPerMinute, interactiveReserve) => {
    expect(() => createMemoryQuotaStore({ unitsPerMinute, interactiveReserve })).toThrow(RangeError);
  });
});
