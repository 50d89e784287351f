import { describe, expect, it } from 'vitest';
import { RETRY_POLICIES, WEBHOOK_QUEUE } from './queues.ts';
import { exponentialDelay, scheduledDelay } from './retry-delays.ts';

const MIDDLE = () => 0.5;

describe('an exponential delay', () => {
  it('doubles with every attempt until it reaches its longest', () => {
    const delayMs = exponentialDelay({ firstMs: 100, longestMs: 1_000 });
    expect([1, 2, 3, 4, 5, 50].map((attempt) => delayMs(attempt, MIDDLE))).toEqual([
      100, 200, 400, 800, 1_000, 1_000,
    ]);
  });
});

describe('a scheduled delay', () => {
  it('takes one delay after the other and stays with the last', () => {
    const delayMs = scheduledDelay([5, 50]);
    expect([1, 2, 3].map((attempt) => delayMs(attempt, MIDDLE))).toEqual([5, 50, 50]);
  });

  it('is moved by up to a fifth either way, so that retries do not arrive all at once', () => {
    const delayMs = scheduledDelay([1_000]);
    expect(delayMs(1, () => 0)).toBe(800);
    expect(delayMs(1, () => 1)).toBe(1_200);
  });
});

describe('the webhook queue', () => {
  it('retries after 5 s, 5 min, 30 min, 2 h, 5 h, then 10 h three times, and gives up', () => {
    const { attempts, retryDelayMs } = RETRY_POLICIES[WEBHOOK_QUEUE];
    const delaysS = Array.from({ length: attempts - 1 }, (_, made) => retryDelayMs(made + 1, MIDDLE) / 1_000);
    expect(delaysS).toEqual([5, 300, 1_800, 7_200, 18_000, 36_000, 36_000, 36_000]);
  });

  it('outlasts a day without its receiver, however the jitter falls', () => {
    const { attempts, retryDelayMs } = RETRY_POLICIES[WEBHOOK_QUEUE];
    const shortestMs = Array.from({ length: attempts - 1 }, (_, made) => retryDelayMs(made + 1, () => 0));
    expect(shortestMs.reduce((sum, delayMs) => sum + delayMs)).toBeGreaterThan(24 * 3_600_000);
  });
});
