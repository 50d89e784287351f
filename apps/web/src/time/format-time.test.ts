import { describe, expect, it, test } from 'vitest';
import { formatCount, formatShare } from '../email/counts.ts';
import { activate } from '../language/activate-language.ts';
import {
  formatAgo,
  formatClock,
  formatDay,
  formatExact,
  formatLongDay,
  formatShortDate,
} from './format-time.tsx';

const now = new Date(2026, 5, 10, 15, 30);

describe('a date in a list', () => {
  it.each([
    [new Date(2026, 5, 10, 9, 5), '9:05 AM'],
    [new Date(2026, 5, 9, 23, 59), 'Tue'],
    [new Date(2026, 5, 4, 1, 0), 'Thu'],
    [new Date(2026, 5, 3, 23, 0), 'Jun 3'],
    [new Date(2024, 1, 3), 'Feb 3, 2024'],
    [new Date(2026, 5, 11, 1, 0), 'Jun 11'],
    [new Date(2099, 1, 3, 10, 0), 'Feb 3, 2099'],
  ])('is as short as it can be: %s', (date, words) => {
    expect(formatShortDate(date, now)).toBe(words);
  });
});

describe('a date in a sentence', () => {
  it.each([
    [new Date(2026, 5, 10, 15, 29, 40), 'just now'],
    [new Date(2026, 5, 10, 15, 20), '10 min. ago'],
    [new Date(2026, 5, 10, 12, 0), '3 hr. ago'],
    [new Date(2026, 5, 9, 23, 0), 'yesterday'],
    [new Date(2026, 5, 6, 12, 0), '4 days ago'],
    [new Date(2099, 1, 3), 'Feb 3, 2099'],
  ])('is relative: %s', (date, words) => {
    expect(formatAgo(date, now)).toBe(words);
  });
});

it('names today and yesterday by the clock on the wall', () => {
  expect(formatDay(new Date(2026, 5, 10, 0, 1), now)).toBe('Today');
  expect(formatDay(new Date(2026, 5, 9, 23, 59), now)).toBe('Yesterday');
});

test('a moment in full has everything', () => {
  expect(formatExact(new Date(2026, 1, 3, 14, 5))).toBe('Tuesday, February 3, 2026 at 2:05 PM');
});

describe('in another region of the language', () => {
  test('dates and numbers are written as there', () => {
    activate({ language: 'en', locale: 'en-GB' });
    const date = new Date(2024, 1, 3, 14, 5);
    expect(formatClock(date)).toBe('14:05');
    expect(formatShortDate(date, now)).toBe('3 Feb 2024');
    expect(formatLongDay(date)).toMatch(/^Saturday,? 3 February$/);
    expect([formatCount(1_204), formatShare(0.5)]).toEqual(['1,204', '50%']);
  });
});
