import { describe, expect, it } from 'vitest';
import { exponentialDelay, scheduledDelay } from './retry.ts';

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
