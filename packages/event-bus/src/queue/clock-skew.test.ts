import { expect, it } from 'vitest';
import { assertClocksAgree, ClockSkewError } from './clock-skew.ts';

const NOW_MS = Date.parse('2026-06-15T12:00:00Z');

/** A database whose clock is off by the given skew and which responds after a delay. */
const askDatabase = (skewMs: number, tookMs = 10) => {
  const times = [NOW_MS, NOW_MS + tookMs];
  return assertClocksAgree(
    async () => NOW_MS + skewMs,
    () => times.shift() ?? 0,
  );
};

it.each([0, 2_000, -2_000])('accepts a difference of %i ms', async (skewMs) => {
  await expect(askDatabase(skewMs)).resolves.toBeUndefined();
});

it.each([2_011, -2_001, 600_000, -600_000])('refuses a difference of %i ms', async (skewMs) => {
  await expect(askDatabase(skewMs)).rejects.toThrow(ClockSkewError);
});

it('does not count a slow response as skew', async () => {
  await expect(askDatabase(9_000, 10_000)).resolves.toBeUndefined();
});

it('says by how much the clocks differ', async () => {
  await expect(askDatabase(-600_000)).rejects.toMatchObject({
    name: 'ClockSkewError',
    code: 'clock_skew',
    message: 'the clocks of this process and the database differ by 600 s',
  });
});
