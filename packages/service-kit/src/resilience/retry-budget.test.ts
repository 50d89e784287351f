import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRetryBudget, retryDelayMs } from './retry.ts';

describe('the wait before another attempt', () => {
  it('doubles with every attempt, up to a limit', () => {
    const delays = [1, 2, 3, 4, 5, 6, 60].map((attemptsMade) =>
      retryDelayMs({ attemptsMade, retryAfterMs: undefined, random: () => 0 }),
    );
    expect(delays).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  });

  it('is spread by chance over twice its shortest length', () => {
    const input = fc.record({
      attemptsMade: fc.integer({ min: 1, max: 30 }),
      random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
    });
    fc.assert(
      fc.property(input, ({ attemptsMade, random }) => {
        const shortestMs = retryDelayMs({ attemptsMade, retryAfterMs: undefined, random: () => 0 });
        const delayMs = retryDelayMs({ attemptsMade, retryAfterMs: undefined, random: () => random });
        expect(delayMs).toBeGreaterThanOrEqual(shortestMs);
        expect(delayMs).toBeLessThanOrEqual(2 * shortestMs);
      }),
    );
  });

  it('is never shorter than the provider asks for', () => {
    expect(retryDelayMs({ attemptsMade: 1, retryAfterMs: 3_000, random: () => 0.9 })).toBe(3_000);
    expect(retryDelayMs({ attemptsMade: 5, retryAfterMs: 10, random: () => 0 })).toBe(4_000);
  });
});

describe('the retry budget', () => {
  it('gives time until it is used up', () => {
    const budget = createRetryBudget(1_000);
    expect(budget.spend(0, 600)).toBe(true);
    expect(budget.spend(600, 1_001)).toBe(false);
    expect(budget.spend(600, 1_000)).toBe(true);
    expect(budget.spend(1_000, 1_001)).toBe(false);
  });

  it('counts the same time once for requests that fail side by side', () => {
    const budget = createRetryBudget(1_000);
    expect([budget.spend(0, 500), budget.spend(10, 490), budget.spend(100, 700)]).toEqual([true, true, true]);
    expect(budget.spend(0, 1_001)).toBe(false);
    expect(budget.spend(0, 1_000)).toBe(true);
  });

  it('never gives more than it has, and gives whatever is left', () => {
    const spans = fc.array(fc.tuple(fc.nat(5_000), fc.nat(1_000)), { maxLength: 30 });
    fc.assert(
      fc.property(spans, (faults) => {
        const budget = createRetryBudget(2_000);
        // Faults become known in the order in which they end.
        const inTime = faults.map(([fromMs, tookMs]) => ({ fromMs, untilMs: fromMs + tookMs }));
        inTime.sort((a, b) => a.untilMs - b.untilMs);
        const paid = new Set<number>();
        const millisecondsOf = ({ fromMs, untilMs }: { fromMs: number; untilMs: number }) =>
          Array.from({ length: untilMs - fromMs }, (_, index) => fromMs + index);
        let paidUntilMs = Number.NEGATIVE_INFINITY;
        for (const span of inTime) {
          const fresh = millisecondsOf(span).filter((ms) => ms >= paidUntilMs);
          const isGiven = budget.spend(span.fromMs, span.untilMs);
          expect(isGiven).toBe(paid.size + fresh.length <= 2_000);
          if (!isGiven) continue;
          for (const ms of fresh) paid.add(ms);
          paidUntilMs = Math.max(paidUntilMs, span.untilMs);
        }
        expect(paid.size).toBeLessThanOrEqual(2_000);
      }),
    );
  });

  it('does not count healthy time between faults', () => {
    const budget = createRetryBudget(1_000);
    expect([budget.spend(0, 400), budget.spend(60_000, 60_400)]).toEqual([true, true]);
    expect(budget.spend(90_000, 90_200)).toBe(true);
    expect(budget.spend(99_000, 99_001)).toBe(false);
  });
});
