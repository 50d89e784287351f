import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry.ts';

const NOW_MS = Date.UTC(2026, 0, 1);

describe('Retry-After', () => {
  it('is read in seconds', () => {
    expect(parseRetryAfterMs('7', NOW_MS)).toBe(7_000);
    expect(parseRetryAfterMs(' 0 ', NOW_MS)).toBe(0);
  });

  it('is read as an HTTP date', () => {
    expect(parseRetryAfterMs('Thu, 01 Jan 2026 00:00:09 GMT', NOW_MS)).toBe(9_000);
  });

  it('asks for no wait when its date has gone by', () => {
    expect(parseRetryAfterMs('Thu, 01 Jan 2015 00:00:00 GMT', NOW_MS)).toBe(0);
  });

  it.each(['0', '1', 'Thu, 01 Jan 2015 00:00:00 GMT'])(
    'asks for the shortest wait at least as %j',
    (value) => {
      expect(parseRetryAfterMs(value, NOW_MS, 1_000)).toBe(1_000);
    },
  );

  it('asks for a day at most, whatever it says', () => {
    const seconds = fc.nat(400).map((length) => '9'.repeat(length));
    const date = fc.date({ noInvalidDate: true }).map((instant) => instant.toUTCString());
    fc.assert(
      fc.property(fc.oneof(seconds, date, fc.string()), fc.nat(), (text, nowMs) => {
        const waitMs = parseRetryAfterMs(text, nowMs) ?? 0;
        expect(waitMs).toBeGreaterThanOrEqual(0);
        expect(waitMs).toBeLessThanOrEqual(24 * 3_600_000);
      }),
    );
  });

  it.each([undefined, '', 'soon', '-5', '1.5'])('says nothing as %j', (value) => {
    expect(parseRetryAfterMs(value, NOW_MS)).toBeUndefined();
  });
});
