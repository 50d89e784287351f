import { createFakeAccessTokens } from '@mailsweep/mail/mailbox/testing';
import {
  type CallPriority,
  createMemoryQuotaStore,
  createQuotaGovernor,
  DEFAULT_QUOTA_LIMITS,
} from '@mailsweep/mail/quota';
import { createProviderMinute, createSimulatedClock } from '@mailsweep/mail/quota/testing';
import { describe, expect, it } from 'vitest';
import { type Attempt, beginGmailCall } from './gmail-call.ts';

const MINUTE_MS = 60_000;

describe('a walk through the mailbox', () => {
  const LATENCY_MS = 50;

  /** Calls without HTTP, so that all time is simulated; the provider counts each when it answers. */
  const setUpWalk = (latencyMs = () => LATENCY_MS) => {
    const clock = createSimulatedClock();
    const provider = createProviderMinute();
    const store = createMemoryQuotaStore({ ...DEFAULT_QUOTA_LIMITS, nowMs: clock.nowMs });
    const governor = createQuotaGovernor({ store, clock });
    const attemptAt = (price: number) => async (): Promise<Attempt> => {
      await clock.sleep(latencyMs());
      provider.count(clock.nowMs(), price);
      return { text: '' };
    };
    const make = (priority: CallPriority, prices: number[]) =>
      governor.withUser('ada', async (quota) => {
        const dependencies = {
          accessTokens: createFakeAccessTokens(),
          retryBudgetMs: 20_000,
          random: () => 0,
        };
        const call = beginGmailCall({ ...dependencies, clock, priority }, quota);
        const begunMs = clock.nowMs();
        await Promise.all(
          prices.map((price) => quota.whenRoom(priority, () => call.run(price, attemptAt(price)))),
        );
        call.close();
        return clock.nowMs() - begunMs;
      });
    const walkUntil = async (isOver: () => boolean) => {
      while (!isOver()) await make('background', [5, ...messages(100)]);
    };
    return { clock, provider, make, walkUntil };
  };
  const messages = (count: number): number[] => Array.from({ length: count }, () => 20);

  it('hardly holds up a user who reads meanwhile, and uses its share of the quota all the same', async () => {
    const { clock, provider, make, walkUntil } = setUpWalk();
    const fromMs = clock.nowMs() + MINUTE_MS;
    const untilMs = clock.nowMs() + 5 * MINUTE_MS;
    const read = async () => {
      const tookMs: number[] = [];
      await clock.sleep(MINUTE_MS);
      for (; clock.nowMs() < untilMs; await clock.sleep(10_000)) {
        // A page whose messages are known, and a few that are new.
        tookMs.push(await make('interactive', [5, 2, ...messages(5)]));
      }
      return tookMs.toSorted((one, other) => one - other);
    };
    const [tookMs] = await clock.run(Promise.all([read(), walkUntil(() => clock.nowMs() >= untilMs)]));
    expect(tookMs[Math.floor(tookMs.length * 0.95)]).toBe(LATENCY_MS);
    expect(provider.peak()).toBeLessThanOrEqual(6_000);
    // Two fifths, together with the user’s own calls.
    expect(provider.total(fromMs, untilMs)).toBeGreaterThan(0.9 * 4 * 2_400);
  });

  it('never goes over what the provider allows, however long that takes to answer and to count', async () => {
    let latencyMs = 8_000;
    const { clock, provider, make } = setUpWalk(() => latencyMs);
    const wholeMinute = Array.from({ length: 20 }, () => 300);
    await clock.run(make('interactive', wholeMinute));
    latencyMs = 10;
    await clock.run(clock.sleep(61_000 - 8_000));
    await clock.run(make('interactive', wholeMinute));
    expect(provider.peak()).toBe(6_000);
  });

  it('gives way to a user who needs more than the reserve', async () => {
    const { clock, make, walkUntil } = setUpWalk();
    let isOver = false;
    const read = async () => {
      await clock.sleep(2 * MINUTE_MS);
      const tookMs = await make('interactive', [5, ...messages(60)]);
      isOver = true;
      return tookMs;
    };
    const [tookMs] = await clock.run(Promise.all([read(), walkUntil(() => isOver)]));
    expect(tookMs).toBeLessThan(15_000);
  });
});
