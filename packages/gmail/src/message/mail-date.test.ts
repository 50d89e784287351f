import { describe, expect, it } from 'vitest';
import { parseInternalDate } from './to-message-facts.ts';

describe('the internal date', () => {
  it('is read as milliseconds since 1970', () => {
    expect(parseInternalDate('1767225600123')?.toISOString()).toBe('2026-01-01T00:00:00.123Z');
  });

  it.each(['', 'x', '-1', '1.5', '0x10', '999999999999999', '99999999999999999999'])('is not %j', (value) => {
    expect(parseInternalDate(value)).toBeUndefined();
  });
});
