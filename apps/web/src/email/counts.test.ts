import { describe, expect, it } from 'vitest';
import { countEmails, formatCount } from './counts.ts';

describe('a count', () => {
  it.each([0, 7, 999, 1000, 10_204, 123_456, 1_000_000])('has its thousands apart: %d', (count) => {
    expect(formatCount(count)).toBe(new Intl.NumberFormat('en').format(count));
  });

  it('names what it counts', () => {
    expect([0, 1, 1204].map(countEmails)).toEqual(['0 emails', '1 email', '1,204 emails']);
  });
});
