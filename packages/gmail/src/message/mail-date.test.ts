import { describe, expect, it } from 'vitest';
import { parseDateHeader, parseInternalDate } from './mail-date.ts';

describe('the Date header', () => {
  it.each([
    ['Tue, 3 Jun 2008 11:05:30 +0200', '2008-06-03T09:05:30.000Z'],
    ['Tue, 3 Jun 2008 11:05:30 +0200 (CEST)', '2008-06-03T09:05:30.000Z'],
    ['3 Jun 08 11:05 GMT', '2008-06-03T11:05:00.000Z'],
    ['Tue, 3 Jun 2008 11:05:30 EDT', '2008-06-03T15:05:30.000Z'],
    ['Tue,  3 Jun\r\n 2008 11:05:30 UT', '2008-06-03T11:05:30.000Z'],
    ['Die, 3 Jun 2008 11:05:30 -0700', '2008-06-03T18:05:30.000Z'],
    ['2008-06-03T11:05:30.123+02:00', '2008-06-03T09:05:30.123Z'],
    ['2008-06-03T11:05:30Z', '2008-06-03T11:05:30.000Z'],
  ])('reads %j', (value, iso) => {
    expect(parseDateHeader(value)?.toISOString()).toBe(iso);
  });

  it.each([
    'Tue, 3 Jun 2008 11:05:30',
    'Tue, 3 Jun 2008 11:05:30 CEST',
    'Tue Jun  3 11:05:30 2008',
    '2008-06-03T11:05:30',
  ])('takes %j, whose zone is missing or unknown, as UTC', (value) => {
    expect(parseDateHeader(value)?.toISOString()).toBe('2008-06-03T11:05:30.000Z');
  });

  it.each(['', 'yesterday', '(only a comment)', '1 Jan 275000 00:00:00 GMT', '1 Jan 1901 00:00:00 GMT'])(
    'finds no date in %j',
    (value) => {
      expect(parseDateHeader(value)).toBeUndefined();
    },
  );
});

describe('the internal date', () => {
  it('is read as milliseconds since 1970', () => {
    expect(parseInternalDate('1767225600123')?.toISOString()).toBe('2026-01-01T00:00:00.123Z');
  });

  it.each(['', 'x', '-1', '1.5', '0x10', '999999999999999', '99999999999999999999'])('is not %j', (value) => {
    expect(parseInternalDate(value)).toBeUndefined();
  });
});
