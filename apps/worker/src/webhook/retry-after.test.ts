import { describe, expect, it } from 'vitest';
import { parseRetryAfterMs } from './retry-after.ts';

describe('Retry-After', () => {
  it.each([
    ['120', 120_000],
    ['Tue, 02 Jun 2026 06:01:00 GMT', 60_000],
    ['0', 1_000],
    ['Tue, 02 Jun 2026 05:00:00 GMT', 1_000],
    ['999999', 86_400_000],
    ['soon', undefined],
    [undefined, undefined],
  ])('%s means %s ms', (header, delayMs) => {
    expect(parseRetryAfterMs(header, new Date('2026-06-02T06:00:00Z'))).toBe(delayMs);
  });
});
