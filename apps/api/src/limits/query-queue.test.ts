import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { createQueryQueue } from './query-queue.ts';

const LIMITS = { concurrency: 2, maxUsers: 4 };

const open = () => {
  const onFull = vi.fn();
  const queue = createQueryQueue({ ...LIMITS, onFull });
  /** The running queries, in the order in which they began. */
  const running: string[] = [];
  const finishers = new Map<string, () => void>();
  const run = (userId: string, name: string) =>
    queue.run(userId, async () => {
      running.push(name);
      await new Promise<void>((resolve) => finishers.set(name, resolve));
      running.splice(running.indexOf(name), 1);
      return name;
    });
  const finish = (name: string) => finishers.get(name)?.();
  return { run, finish, running, onFull };
};

test('runs one query of a user at a time, and lets other users go first', async () => {
  const { run, finish, running } = open();
  const [a1, a2] = [run('ada', 'a1'), run('ada', 'a2')];
  await expect.poll(() => running).toEqual(['a1']);
  const b1 = run('bob', 'b1');
  await expect.poll(() => running).toEqual(['a1', 'b1']);
  const c1 = run('cy', 'c1');
  finish('a1');
  await expect.poll(() => running).toEqual(['b1', 'c1']);
  finish('b1');
  await expect.poll(() => running).toEqual(['c1', 'a2']);
  finish('c1');
  finish('a2');

  expect(await Promise.all([a1, a2, b1, c1])).toEqual(['a1', 'a2', 'b1', 'c1']);
});

test('refuses users beyond the limit, but not those who have queries already', async () => {
  const { run, finish, running, onFull } = open();
  const names = ['a', 'b', 'c', 'd'];
  const admitted = names.map((name) => run(name, name));
  await expect(run('e', 'e')).rejects.toMatchObject({
    status: 503,
    code: 'overloaded',
    headers: { 'retry-after': '1' },
  });
  expect(onFull).toHaveBeenCalledOnce();
  admitted.push(run('a', 'a again'));
  for (const name of [...names, 'a again']) {
    await expect.poll(() => running).toContain(name);
    finish(name);
  }
  expect(await Promise.all(admitted)).toEqual([...names, 'a again']);

  const later = run('e', 'e');
  await expect.poll(() => running).toEqual(['e']);
  finish('e');
  await later;
});

test('a queue that rests responds at once, and keeps the place empty for as long as the query took', async () => {
  const queue = createQueryQueue({ concurrency: 1, maxUsers: 4, rests: true, onFull: vi.fn() });
  const begunMs = performance.now();
  const first = queue.run('ada', () => sleep(100, 'first'));
  const second = queue.run('bob', async () => performance.now() - begunMs);
  const sooner = await Promise.race([first, second]);
  expect(sooner).toBe('first');
  expect(await second).toBeGreaterThan(190);
});

test('forgets users whose queries are done', async () => {
  const queue = createQueryQueue({ ...LIMITS, onFull: vi.fn() });
  for (let user = 0; user < 2 * LIMITS.maxUsers; user += 1)
    expect(await queue.run(`user-${user}`, async () => user)).toBe(user);
});

test('goes on after a query has failed', async () => {
  const queue = createQueryQueue({ ...LIMITS, onFull: vi.fn() });
  await expect(queue.run('ada', () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
  expect(await queue.run('ada', async () => 'fine')).toBe('fine');
});
