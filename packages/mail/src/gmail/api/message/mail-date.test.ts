import { describe, expect, it } from 'vitest';
import { toMessageFacts } from './to-message-facts.ts';

const read = (internalDate: string) => toMessageFacts({ id: 'm1', internalDate }).receivedAt.toISOString();

describe('the internal date', () => {
  it('is read as milliseconds since 1970', () => {
    expect(read('1767225600123')).toBe('2026-01-01T00:00:00.123Z');
  });

  it.each(['', 'x', '-1', '1.5', '0x10', '999999999999999', '99999999999999999999'])(
    'is not %j, which reads as 1970',
    (value) => {
      expect(read(value)).toBe('1970-01-01T00:00:00.000Z');
    },
  );
});
