import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createLogger } from '@mailsweep/service-kit';
import { v7 as uuidv7 } from 'uuid';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEraseUser } from './erase-user.ts';

/** What Postgres calls two transactions that stood in each other's way. */
const [DEADLOCK, SERIALIZATION_FAILURE, DISK_FULL] = ['40P01', '40001', '53100'];

describe('an erasure that a request of the same user crosses', () => {
  test.each([
    ['once', 1, DEADLOCK],
    ['twice', 2, SERIALIZATION_FAILURE],
  ])('%s is tried again, and erases everything', async (_name, times, sqlState) => {
    await failErasures(times, sqlState);

    expect(await erase()).toEqual({ isGrantRevoked: true, isQueueCleared: false });
    expect(await db.query('SELECT FROM "User"')).toEqual([]);
    expect(await countTries()).toBe(times + 1);
  });

  test('again and again fails, and leaves everything', async () => {
    await failErasures(9, DEADLOCK);

    await expect(erase()).rejects.toThrow();
    expect(await db.query('SELECT FROM "User"')).toHaveLength(1);
    expect(await db.query('SELECT FROM "ErasedUser"')).toEqual([]);
    expect(await countTries()).toBe(3);
  });
});

test('an erasure that fails for another reason is not tried again', async () => {
  await failErasures(1, DISK_FULL);

  await expect(erase()).rejects.toThrow();
  expect(await db.query('SELECT FROM "User"')).toHaveLength(1);
  expect(await countTries()).toBe(1);
});

/** Lets the next erasures of a user fail; a sequence counts them past every rollback. */
const failErasures = (times: number, sqlState: string | undefined) =>
  db.query(`
    CREATE SEQUENCE tries;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
      IF nextval('tries') <= ${times} THEN RAISE 'no' USING ERRCODE = '${sqlState}'; END IF;
      RETURN NULL;
    END $$;
    CREATE TRIGGER refuse AFTER DELETE ON "User" FOR EACH ROW EXECUTE FUNCTION refuse();`);

const countTries = async () =>
  Number((await db.query<{ last: string }>('SELECT last_value AS last FROM tries'))[0]?.last);

/** Erases the user, with a queue that is away. */
const erase = () =>
  createEraseUser({
    database: db.database,
    queue: { openQueue: () => Promise.reject(new Error('the queue is away')) },
    revokeGrant: async () => undefined,
    logger: createLogger({ service: 'test', level: 'silent' }),
  })(userId);

let db: TestDatabase;
let userId: string;
beforeEach(async () => {
  db = await createTestDatabase();
  userId = uuidv7();
  await db.query(
    `INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', 'ada@example.com')`,
    [userId],
  );
});
afterEach(() => db.drop());
