import { describe, expect, it } from 'vitest';
import { formatBytes, formatMegabytes } from './sizes.ts';

describe('a size', () => {
  it('is short, whatever its magnitude', () => {
    expect([1_433, 1_000, 999, 24.6, 1.26, 0.25, 0].map(formatMegabytes)).toEqual([
      '1.4 GB',
      '1.0 GB',
      '999 MB',
      '25 MB',
      '1.3 MB',
      '256 kB',
      '1 kB',
    ]);
    expect(formatBytes(2 * 1_048_576)).toBe('2.0 MB');
  });
});
