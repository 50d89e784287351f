import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createLogger } from '@mailsweep/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createMailboxLock, MailboxBusyError, type MailboxLock } from './mailbox-lock.repository.ts';

describe('holding a user’s mailbox', () => {
  test('goes in the order of arrival within a process, one at a time', async () => {
    const order: string[] = [];
    await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        here.hold(ada, async () => {
          order.push(`${name} begins`);
          await db.query('SELECT');
          order.push(`${name} ends`);
        }),
      ),
    );
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
  });

  test('is for one request at a time, on whatever replica', async () => {
    let running = 0;
    const seen: number[] = [];
    const work = async () => {
      running += 1;
      await db.query('SELECT');
      seen.push(running);
      running -= 1;
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => (index % 2 ? here : there).hold(ada, work)));
    expect(seen).toEqual(Array(10).fill(1));
  });

  test('does not keep other users waiting', async () => {
    await here.hold(ada, () => here.hold(uuidv7(), async () => undefined, 0));
  });

  test('ends with the work, also when that fails, and returns its result', async () => {
    await expect(here.hold(ada, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await there.hold(ada, async () => 'yes', 0)).toBe('yes');
    expect(await listLeases()).toEqual([]);
  });

  test('is refused in time, without having begun, and those behind still get the lease', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const holding = here.hold(ada, () => {
      begun.resolve();
      return promise;
    });
    await begun.promise;
    const neverBegun = vi.fn(async () => undefined);
    await expect(here.hold(ada, neverBegun, 10)).rejects.toThrow(MailboxBusyError);
    await expect(there.hold(ada, neverBegun, 10)).rejects.toThrow(MailboxBusyError);
    const waiting = here.hold(ada, async () => 'at last');
    resolve();
    await holding;
    expect(await waiting).toBe('at last');
    expect(neverBegun).not.toHaveBeenCalled();
  });

  test('is extended for as long as the work takes', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    await here.hold(ada, async () => {
      await db.query(`UPDATE "MailboxLease" SET "leasedUntil" = now() + interval '1 ms'`);
      vi.advanceTimersByTime(2_000);
      await expect.poll(async () => (await listLeases())[0]?.secondsLeft, LONG_WAIT).toBeGreaterThan(3);
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  test('passes on what a dead process held once its lease has run out', async () => {
    await db.query(
      `INSERT INTO "MailboxLease" ("userId", "holderId", "leasedUntil")
       VALUES ($1, gen_random_uuid(), now() + interval '1 h')`,
      [ada],
    );
    await expect(here.hold(ada, async () => undefined, 0)).rejects.toThrow(MailboxBusyError);
    await db.query(`UPDATE "MailboxLease" SET "leasedUntil" = now() - interval '1 s' WHERE "userId" = $1`, [
      ada,
    ]);
    await here.hold(ada, async () => undefined, 0);
  });
});

const LONG_WAIT = { timeout: 10_000 };

const listLeases = () =>
  db.query<{ secondsLeft: number }>(
    `SELECT extract(epoch FROM "leasedUntil" - now())::float8 AS "secondsLeft" FROM "MailboxLease"`,
  );

let db: TestDatabase;
let here: MailboxLock;
let there: MailboxLock;
let ada: string;
beforeAll(async () => {
  db = await createTestDatabase();
  const logger = createLogger({ service: 'test', level: 'silent' });
  here = createMailboxLock({ database: db.database, logger });
  there = createMailboxLock({ database: db.database, logger });
});
beforeEach(() => {
  ada = uuidv7();
});
afterAll(() => db.drop());
