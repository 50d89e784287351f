import { expect, it } from 'vitest';
import { resolvesWithin } from './bounded.ts';

it('returns true when the work ends in time', async () => {
  expect(await resolvesWithin(Promise.resolve(false), 60_000)).toBe(true);
});

it('returns false when the deadline comes first', async () => {
  expect(await resolvesWithin(new Promise(() => undefined), 1)).toBe(false);
});

it('throws what the work throws', async () => {
  await expect(resolvesWithin(Promise.reject(new Error('no')), 60_000)).rejects.toThrow('no');
});

it('leaves no timer behind that would keep a process alive', async () => {
  const before = timers();
  await resolvesWithin(Promise.resolve(), 60_000);
  expect(timers()).toBe(before);
});

const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
