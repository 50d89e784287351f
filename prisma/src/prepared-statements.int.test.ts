import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Prisma } from '../generated/client.ts';
import { type Database, openDatabase } from './client.ts';
import { readRows } from './prepared-statements.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

describe('a direct read', () => {
  test('returns what Prisma does', async () => {
    const statement = Prisma.sql`
      SELECT ${USER_ID}::uuid AS "id", ${7}::int AS "count", ${null}::text AS "nothing", ${['a', 'b,"c']}::text[] AS "list",
        ${new Date('2026-11-21T08:00:00.123Z')}::timestamptz AS "at", '{"a":[1]}'::jsonb AS "json", true AS "isSo"`;
    const database = open();
    const [row] = await database.readDirectly(statement);
    expect(row).toEqual((await database.$queryRaw<object[]>(statement))[0]);
    expect(row).toEqual({
      id: USER_ID,
      count: 7,
      nothing: null,
      list: ['a', 'b,"c'],
      at: new Date('2026-11-21T08:00:00.123Z'),
      json: { a: [1] },
      isSo: true,
    });
    expect(await listPrepared(database)).toContainEqual({ name: 'direct_1' });
  });
});

describe('a prepared read', () => {
  test('leaves other statements of Prisma unprepared', async () => {
    const database = open();
    await database.user.findFirst();
    await database.$queryRaw`SELECT 1`;
    expect(await listPrepared(database)).toHaveLength(1);
  });

  test('is not compiled to machine code by Postgres', async () => {
    expect(await readRows(open(), Prisma.sql`SELECT current_setting('jit') AS "jit"`)).toEqual([
      { jit: 'off' },
    ]);
  });

  test('is prepared once for all its values', async () => {
    const database = open();
    const add = (value: number) => readRows(database, Prisma.sql`SELECT ${value}::int + 1 AS "sum"`);
    expect([await add(1), await add(2)]).toEqual([[{ sum: 2 }], [{ sum: 3 }]]);
    expect(await listPrepared(database)).toHaveLength(2);
  });

  test('is parsed each time once there are very many of them', async () => {
    const database = open();
    for (let number = 0; number < 250; number += 1) {
      const rows = await readRows(database, Prisma.sql`SELECT ${Prisma.raw(String(number))} AS "number"`);
      expect(rows).toEqual([{ number }]);
    }
    expect(await listPrepared(database)).toHaveLength(200);
  });

  test('belongs to the transaction in which it is made', async () => {
    const findName = (from: Parameters<typeof readRows>[0]) =>
      readRows(from, Prisma.sql`SELECT "name" FROM "User" WHERE "id" = ${USER_ID}::uuid`);
    const database = open(2);
    await database.$transaction(async (tx) => {
      await tx.user.create({ data: { id: USER_ID, providerSubject: 'ada', email: '', name: 'Ada' } });
      expect(await findName(tx)).toEqual([{ name: 'Ada' }]);
      expect(await findName(database)).toEqual([]);
    });
    expect(await findName(database)).toEqual([{ name: 'Ada' }]);
  });

  test('outlives a migration that adds a column', async () => {
    const database = open();
    const read = () => readRows(database, Prisma.sql`SELECT "id", "email" FROM "User" LIMIT 0`);
    await read();
    await db.query('ALTER TABLE "User" ADD COLUMN "added" text');
    expect(await read()).toEqual([]);
  });
});

test('a database that is closed leaves no connection, whoever has used it', async () => {
  const database = openDatabase({ databaseUrl: db.url });
  const [own] = await database.readDirectly<{ pid: number }>(Prisma.sql`SELECT pg_backend_pid() AS "pid"`);
  await Promise.all([database.$disconnect(), database.$disconnect()]);
  await expect
    .poll(() => db.query('SELECT FROM pg_stat_activity WHERE pid = $1', [own?.pid]))
    .toHaveLength(0);
});

const USER_ID = '019a0000-0000-7000-8000-000000000001';

const listPrepared = (database: Database) =>
  readRows(database, Prisma.sql`SELECT "name" FROM pg_prepared_statements`);

const open = (poolSize = 1): Database => {
  const database = openDatabase({ databaseUrl: db.url, poolSize });
  onTestFinished(() => database.$disconnect());
  return database;
};

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
