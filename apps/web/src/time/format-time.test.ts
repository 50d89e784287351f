import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatClock,
  formatDay,
  formatExact,
  formatLongDay,
  formatShortDate,
  formatWeekday,
} from './format-time.ts';

const now = new Date(2026, 5, 10, 15, 30);

describe('a date in a list', () => {
  it.each([
    [new Date(2026, 5, 10, 9, 5), '09:05'],
    [new Date(2026, 5, 9, 23, 59), 'Tue'],
    [new Date(2026, 5, 4, 1, 0), 'Thu'],
    [new Date(2026, 5, 3, 23, 0), 'Jun 3'],
    [new Date(2024, 1, 3), 'Feb 3, 2024'],
  ])('is as short as it can be: %s', (date, words) => {
    expect(formatShortDate(date, now)).toBe(words);
  });
});

describe('a date in a sentence', () => {
  it.each([
    [new Date(2026, 5, 10, 15, 29, 40), 'just now'],
    [new Date(2026, 5, 10, 15, 20), '10 min ago'],
    [new Date(2026, 5, 10, 12, 0), '3 h ago'],
    [new Date(2026, 5, 9, 23, 0), 'yesterday'],
    [new Date(2026, 5, 6, 12, 0), '4 days ago'],
  ])('is relative: %s', (date, words) => {
    expect(formatAgo(date, now)).toBe(words);
  });
});

it('names today and yesterday by the clock on the wall', () => {
  expect(formatDay(new Date(2026, 5, 10, 0, 1), now)).toBe('Today');
  expect(formatDay(new Date(2026, 5, 9, 23, 59), now)).toBe('Yesterday');
});

describe('a moment in full', () => {
  const EXACT = new Intl.DateTimeFormat('en', { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23' });
  const everyMonthAndWeekday = Array.from(
    { length: 12 },
    (_nothing, month) => new Date(2026, month, 1 + 2 * month, 2 * month, 5 * month),
  );

  it.each(everyMonthAndWeekday)('has the words of the language: %s', (date) => {
    const word = (options: Intl.DateTimeFormatOptions) => new Intl.DateTimeFormat('en', options).format(date);
    expect(formatExact(date)).toBe(EXACT.format(date));
    expect(formatLongDay(date)).toBe(word({ weekday: 'long', day: 'numeric', month: 'long' }));
    expect(formatWeekday(date)).toBe(word({ weekday: 'short' }));
    expect(formatClock(date)).toBe(word({ hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }));
    expect(formatShortDate(date, new Date(2027, 0, 31))).toBe(word({ dateStyle: 'medium' }));
  });
});
