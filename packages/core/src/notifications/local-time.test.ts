import { DEFAULT_NOTIFICATIONS } from '@mailsweep/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  findQuietEnd,
  findQuietStart,
  nextDigestAt,
  nextInstant,
  toInstants,
  toLocalTime,
} from './local-time.ts';

const BERLIN = 'Europe/Berlin';
const ZONES = [
  'UTC',
  BERLIN,
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'America/Havana',
  'Pacific/Apia',
];
const at = (text: string) => Date.parse(text);
const iso = (ms: number) => new Date(ms).toISOString().slice(0, 16);

describe('the wall clock of a time zone', () => {
  it.each([
    ['2026-01-31T23:30:00Z', BERLIN, { date: '2026-02-01', minutes: 30, weekday: 7 }],
    ['2026-07-01T22:15:00Z', BERLIN, { date: '2026-07-02', minutes: 15, weekday: 4 }],
    ['2026-02-01T02:00:00Z', 'America/New_York', { date: '2026-01-31', minutes: 21 * 60, weekday: 6 }],
    ['2026-02-01T00:00:00Z', 'Asia/Kathmandu', { date: '2026-02-01', minutes: 345, weekday: 7 }],
  ])('shows at %s in %s the local time', (instant, zone, expected) => {
    expect(toLocalTime(at(instant), zone)).toEqual(expected);
  });

  it.each([
    ['on an ordinary day', '2026-02-01', 8 * 60, ['2026-02-01T07:00']],
    ['in summer', '2026-07-01', 8 * 60, ['2026-07-01T06:00']],
    ['that it skips, so much later', '2026-03-29', 2 * 60 + 30, ['2026-03-29T01:30']],
    ['that it shows twice', '2026-10-25', 2 * 60 + 30, ['2026-10-25T00:30', '2026-10-25T01:30']],
  ])('shows a time %s', (_name, date, minutes, expected) => {
    expect(toInstants(date, minutes, BERLIN).map(iso)).toEqual(expected);
  });

  it('shows every time of day within two days, at an instant that reads back', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: at('2025-01-01T00:00Z') / 60_000, max: at('2028-01-01T00:00Z') / 60_000 }),
        fc.integer({ min: 0, max: 1_439 }),
        (zone, nowMinutes, minutes) => {
          const nowMs = nowMinutes * 60_000;
          const found = nextInstant(nowMs, minutes, zone);
          expect(found).toBeGreaterThan(nowMs);
          expect(found - nowMs).toBeLessThanOrEqual(26 * 3_600_000);
          const shown = toLocalTime(found, zone).minutes;
          // A skipped time counts as up to an hour later.
          if (shown !== minutes) expect((shown - minutes + 1_440) % 1_440).toBeLessThanOrEqual(60);
        },
      ),
    );
  });
});

describe('quiet hours', () => {
  const NIGHT = { from: '22:00', to: '07:00' };
  const NOON = { from: '12:00', to: '13:30' };

  it.each([
    ['before midnight', NIGHT, '2026-02-01T21:30:00Z', '2026-02-02T06:00'],
    ['after midnight', NIGHT, '2026-02-01T05:59:00Z', '2026-02-01T06:00'],
    ['at their beginning', NIGHT, '2026-02-01T21:00:00Z', '2026-02-02T06:00'],
    ['on the day', NOON, '2026-02-01T11:30:00Z', '2026-02-01T12:30'],
    ['in the night that is an hour shorter', NIGHT, '2026-03-28T23:00:00Z', '2026-03-29T05:00'],
    ['in the night that is an hour longer', NIGHT, '2026-10-24T22:00:00Z', '2026-10-25T06:00'],
  ])('end %s', (_name, quietHours, now, expected) => {
    const end = findQuietEnd(quietHours, BERLIN, at(now));
    expect(end && iso(end.getTime())).toBe(expected);
  });

  it.each([
    ['at their end', NIGHT, '2026-02-01T06:00:00Z'],
    ['on the day', NIGHT, '2026-02-01T12:00:00Z'],
    ['before those at noon', NOON, '2026-02-01T10:59:00Z'],
    ['without any', null, '2026-02-01T02:00:00Z'],
  ])('are over %s', (_name, quietHours, now) => {
    expect(findQuietEnd(quietHours, BERLIN, at(now))).toBeNull();
  });

  it('begin next', () => {
    expect(findQuietStart(NIGHT, BERLIN, at('2026-02-01T12:00:00Z'))?.toISOString()).toBe(
      '2026-02-01T21:00:00.000Z',
    );
    expect(findQuietStart(null, BERLIN, 0)).toBeNull();
  });

  it.each([
    ['put forward', { from: '02:30', to: '07:00' }, '2026-03-29T00:50:00Z', '2026-03-29T01:00:00.000Z'],
    ['put back', { from: '22:00', to: '02:30' }, '2026-10-25T00:45:00Z', '2026-10-25T01:00:00.000Z'],
  ])('begin where the clock that is %s leads into them', (_how, quietHours, now, start) => {
    expect(findQuietStart(quietHours, BERLIN, at(now))?.toISOString()).toBe(start);
  });

  it('that the clock skips begin on the next day', () => {
    const hours = { from: '02:00', to: '02:30' };
    expect(findQuietStart(hours, BERLIN, at('2026-03-29T00:00:00Z'))?.toISOString()).toBe(
      '2026-03-30T00:00:00.000Z',
    );
  });

  const time = fc
    .record({ hour: fc.integer({ min: 0, max: 23 }), half: fc.boolean() })
    .map(({ hour, half }) => `${String(hour).padStart(2, '0')}:${half ? '30' : '00'}`);

  it('are not before they begin, in every time zone and on every day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        time,
        time,
        fc.integer({ min: at('2025-01-01T00:00Z') / 60_000, max: at('2028-01-01T00:00Z') / 60_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (zone, from, to, minutes, share) => {
          fc.pre(from !== to);
          const now = minutes * 60_000;
          fc.pre(findQuietEnd({ from, to }, zone, now) === null);
          const start = findQuietStart({ from, to }, zone, now)?.getTime() ?? 0;
          const between = now + Math.floor((start - 1 - now) * share);
          expect(findQuietEnd({ from, to }, zone, between)).toBeNull();
          expect(findQuietEnd({ from, to }, zone, start)).not.toBeNull();
        },
      ),
      { numRuns: 1_000 },
    );
  });

  it('end at an instant that is not quiet, in every time zone and on every day', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        time,
        time,
        fc.integer({ min: at('2025-01-01T00:00Z') / 60_000, max: at('2028-01-01T00:00Z') / 60_000 }),
        (zone, from, to, minutes) => {
          fc.pre(from !== to);
          const end = findQuietEnd({ from, to }, zone, minutes * 60_000);
          fc.pre(end !== null);
          const endMs = end?.getTime() ?? 0;
          expect(endMs).toBeGreaterThan(minutes * 60_000);
          // An end that the clock skips may fall into the next quiet hours where they are that short.
          const isSkipped = toLocalTime(endMs, zone).minutes % 60 !== Number(to.slice(3));
          if (!isSkipped && toInstants(toLocalTime(endMs, zone).date, 0, zone).length === 1) {
            expect(findQuietEnd({ from, to }, zone, endMs)?.getTime() ?? null).toBeNull();
          }
        },
      ),
    );
  });
});

describe('the digest', () => {
  const digest = (changes: object) => ({ ...DEFAULT_NOTIFICATIONS.digest, hour: 8, ...changes });

  it.each([
    ['later today', digest({ every: 'daily' }), '2026-02-01T06:59:00Z', '2026-02-01T07:00'],
    ['tomorrow, once it was due', digest({ every: 'daily' }), '2026-02-01T07:00:00Z', '2026-02-02T07:00'],
    ['on Monday', digest({ every: 'weekly' }), '2026-02-01T12:00:00Z', '2026-02-02T07:00'],
    ['in a week', digest({ every: 'weekly' }), '2026-02-02T07:00:00Z', '2026-02-09T07:00'],
    ['on Sunday', digest({ every: 'weekly', weekday: 7 }), '2026-02-02T07:00:00Z', '2026-02-08T07:00'],
    [
      'an hour earlier once it is summer',
      digest({ every: 'daily' }),
      '2026-03-28T12:00:00Z',
      '2026-03-29T06:00',
    ],
    [
      'after the hour that is skipped',
      digest({ every: 'daily', hour: 2 }),
      '2026-03-28T12:00:00Z',
      '2026-03-29T01:00',
    ],
    [
      'in the first of two hours',
      digest({ every: 'daily', hour: 2 }),
      '2026-10-24T12:00:00Z',
      '2026-10-25T00:00',
    ],
    [
      'not in the second one',
      digest({ every: 'daily', hour: 2 }),
      '2026-10-25T00:00:00Z',
      '2026-10-26T01:00',
    ],
  ])('is due %s', (_name, preferences, now, expected) => {
    const dueAt = nextDigestAt(preferences, BERLIN, at(now));
    expect(dueAt && iso(dueAt.getTime())).toBe(expected);
  });

  it('is never due while digests are off', () => {
    expect(nextDigestAt(digest({ every: 'off' }), BERLIN, 0)).toBeNull();
  });

  it('is due once on each local date, in every time zone', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: at('2025-01-01T00:00Z'), max: at('2027-12-01T00:00Z') }),
        (zone, hour, nowMs) => {
          const first = nextDigestAt(digest({ every: 'daily', hour }), zone, nowMs)?.getTime() ?? 0;
          const second = nextDigestAt(digest({ every: 'daily', hour }), zone, first)?.getTime() ?? 0;
          expect(toLocalTime(first, zone).date < toLocalTime(second, zone).date).toBe(true);
        },
      ),
    );
  });
});
