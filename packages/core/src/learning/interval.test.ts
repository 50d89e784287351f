import { describe, expect, test } from 'vitest';
import { measureRate } from './interval.ts';

describe('the interval of a rate', () => {
  // R: prop.test(x, n, correct = FALSE)
  test.each([
    [97, 100, 0.9155, 0.9897],
    [10, 10, 0.7225, 1],
    [0, 10, 0, 0.2775],
    [1, 2, 0.0945, 0.9055],
  ])('%d of %d is between %d and %d', (successes, trials, low, high) => {
    const measured = measureRate(successes, trials);
    expect(measured.rate).toBe(successes / trials);
    expect(measured.low).toBeCloseTo(low, 4);
    expect(measured.high).toBeCloseTo(high, 4);
  });

  test('ends at 0 and 1 exactly when all trials had the same result', () => {
    for (let trials = 1; trials <= 500; trials += 1) {
      expect(measureRate(trials, trials).high).toBe(1);
      expect(measureRate(0, trials).low).toBe(0);
    }
  });

  test('is unknown without trials', () => {
    expect(measureRate(0, 0)).toEqual({ rate: null, low: null, high: null });
  });
});
