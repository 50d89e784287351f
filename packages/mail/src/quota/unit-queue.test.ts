import { createManualClock } from '@mailsweep/service-kit/testing';
import { expect, test } from 'vitest';
import type { QuotaEvent, QuotaStore } from './quota.ts';
import { createUnitQueue } from './unit-queue.ts';

/** A store that takes a while to answer, and refuses so many times first. */
const takeUnits = async (refusals: number): Promise<string[]> => {
  const clock = createManualClock();
  const events: QuotaEvent[] = [];
  let left = refusals;
  const take: QuotaStore['take'] = async (_userId, prices) => {
    await clock.sleep(50);
    const granted = left > 0 ? 0 : prices.length;
    left -= 1;
    return { granted, slot: 0, waitMs: granted > 0 ? 0 : 100, waitForAllMs: 100 };
  };
  const store = { take } as QuotaStore;
  const observe = (event: QuotaEvent) => void events.push(event);
  const queue = createUnitQueue({ userId: 'ada', priority: 'interactive', store, clock, observe });
  const { signal } = new AbortController();
  const claim = { price: 5, mayWait: () => true, toRefusal: () => new Error('refused'), signal };
  await Promise.all([queue.take(claim), queue.take(claim)]);
  await queue.take(claim);
  return events.map(({ type }) => type);
};

test('a call has waited if there were no units for it, however long the store took', async () => {
  expect(await takeUnits(0)).not.toContain('waited');
  expect(await takeUnits(1)).toContain('waited');
});
