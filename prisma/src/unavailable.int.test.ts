import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Prisma } from '../generated/client.ts';
import { type Database, openDatabase } from './client.ts';
import { isDatabaseUnavailable } from './database-errors.ts';
import { pingDatabase } from './ping.repository.ts';
import { readRows, writeRows } from './prepared-statements.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const QUERIES: [name: string, run: (database: Database) => Promise<unknown>][] = [
  ['a read', (database) => database.user.findFirst()],
  ['a write', (database) => database.user.create({ data: createUser() })],
  ['a raw query', (database) => database.$queryRaw`SELECT 1`],
  ['a prepared read', (database) => readRows(database, Prisma.sql`SELECT 1`)],
  ['a direct read', (database) => database.readDirectly(Prisma.sql`SELECT 1`)],
  ['a raw statement', (database) => database.$executeRaw`SELECT 1`],
  ['a transaction', (database) => database.$transaction((tx) => tx.user.findFirst())],
];

describe('the database is unavailable to', () => {
  test.each(QUERIES)('%s when nothing listens there', async (_name, run) => {
    await expectUnavailable(run(open('postgresql://postgres@127.0.0.1:1/any')));
  });

  test.each(QUERIES)('%s when the connection is dropped', async (_name, run) => {
    const url = await startServer((socket) => socket.destroy());
    await expectUnavailable(run(open(url)));
  });

  test('every query, within three seconds, when the server never responds', async () => {
    const url = await startServer(() => undefined);
    const startedMs = performance.now();
    await Promise.all(QUERIES.map(([, run]) => expectUnavailable(run(open(url)))));
    expect(performance.now() - startedMs).toBeLessThan(3_000);
  });

  test('every query, within three seconds, when all connections are taken', async () => {
    const database = open(testDatabase.url, 1);
    const holder = database.$queryRaw`SELECT 1 FROM pg_sleep(3)`.then((rows) => rows);
    const listSleepers = () =>
      testDatabase.query(
        `SELECT FROM pg_stat_activity WHERE wait_event = 'PgSleep' AND datname = current_database()`,
      );
    await expect.poll(listSleepers).toHaveLength(1);
    const startedMs = performance.now();
    await Promise.all(QUERIES.map(([, run]) => expectUnavailable(run(database))));
    expect(performance.now() - startedMs).toBeLessThan(3_000);
    await holder;
  });

  test.each(QUERIES)(
    '%s when the server refuses our password, or has no such database',
    async (_name, run) => {
      const url = new URL(testDatabase.url);
      await expectUnavailable(run(open(Object.assign(new URL(url), { pathname: '/nowhere' }).href)));
      await expectUnavailable(run(open(Object.assign(new URL(url), { username: 'nobody' }).href)));
    },
  );

  test('a query in flight when the server goes down', async () => {
    const database = open(testDatabase.url, 4);
    const user = await database.user.create({ data: createUser() });
    await testDatabase.database.$transaction(async (tx) => {
      // The row is locked, so that all queries wait while their connections are ended.
      await tx.user.update({ where: { id: user.id }, data: { name: 'locked' } });
      const waiting = [
        expectUnavailable(database.user.update({ where: { id: user.id }, data: { name: 'late' } })),
        expectUnavailable(database.$executeRaw`UPDATE "User" SET "name" = 'late'`),
        expectUnavailable(readRows(database, Prisma.sql`SELECT "id" FROM "User" FOR UPDATE`)),
        expectUnavailable(database.readDirectly(Prisma.sql`SELECT "id" FROM "User" FOR UPDATE`)),
      ];
      const endWaiting = () =>
        testDatabase.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
        );
      let ended = 0;
      await expect.poll(async () => (ended += (await endWaiting()).length)).toBe(waiting.length);
      await Promise.all(waiting);
    });
  });

  test.each(QUERIES)('%s when there is no socket of a server', async (_name, run) => {
    await expectUnavailable(run(open('postgresql://postgres@%2Fnowhere/any')));
  });

  test.each([
    ...['08006', '08P01', '25006', '25P03', '25P04', '40001', '40P01', '53100', '53200', '53300', '53400'],
    ...['55P03', '57014', '57P01', '57P02', '57P03', '57P04', '57P05', '58000', '58030'],
  ])('a statement and the end of a transaction that fail with %s', async (code) => {
    const database = open(testDatabase.url);
    const raise = Prisma.raw(`DO $$ BEGIN RAISE 'fails' USING ERRCODE = '${code}'; END $$`);
    await expectUnavailable(database.$executeRaw(raise));
    await expectUnavailable(database.$transaction((tx) => tx.$executeRaw(raise)));
    await testDatabase.query(`
      CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'fails' USING ERRCODE = '${code}'; END $$;
      CREATE CONSTRAINT TRIGGER fail AFTER INSERT ON "User" DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION fail()`);
    onTestFinished(async () => void (await testDatabase.query('DROP FUNCTION fail CASCADE')));
    await expectUnavailable(database.user.create({ data: createUser() }));
    await expectUnavailable(database.$transaction((tx) => tx.user.create({ data: createUser() })));
  });

  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['a write', (database) => database.user.create({ data: createUser() })],
    ['a raw write', (database) => database.$executeRaw`UPDATE "User" SET "name" = 'late'`],
    ['a prepared write', (database) => writeRows(database, Prisma.sql`UPDATE "User" SET "name" = 'late'`)],
    ['a lock', (database) => database.readDirectly(Prisma.sql`SELECT "id" FROM "User" FOR UPDATE`)],
    ['a transaction', (database) => database.$transaction((tx) => tx.user.create({ data: createUser() }))],
    ['a ping', pingDatabase],
  ])('%s while the server is read-only', async (_name, run) => {
    const url = new URL(testDatabase.url);
    url.searchParams.set('options', '-c default_transaction_read_only=on');
    const database = open(url.href);
    expect(await database.user.findMany()).toBeInstanceOf(Array);
    await expectUnavailable(run(database));
  });

  test('a query that takes longer than a statement may', async () => {
    const slow = testDatabase.database.$transaction(async (tx) => {
      await tx.$executeRaw`SET LOCAL statement_timeout = 50`;
      await tx.$queryRaw`SELECT 1 FROM pg_sleep(5)`;
    });
    await expectUnavailable(slow);
  });
});

describe('the database is not to blame', () => {
  test.each<[string, (database: Database) => Promise<unknown>]>([
    ['for a query that is wrong', (database) => database.$queryRaw`SELECT nonsense`],
    ['for a value that is no uuid', (database) => database.$queryRaw`SELECT 'x'::uuid`],
    ['for a refused value', (database) => database.$queryRaw`SELECT ${'{"a":"\\u0000"}'}::jsonb`],
    ['for a prepared read that is wrong', (database) => readRows(database, Prisma.sql`SELECT nonsense`)],
    ['for a direct read that is wrong', (database) => database.readDirectly(Prisma.sql`SELECT nonsense`)],
    [
      'for a value that is no uuid in one',
      (database) => database.readDirectly(Prisma.sql`SELECT ${'x'}::uuid`),
    ],
    [
      'for a record that is not there',
      (database) => database.user.findFirstOrThrow({ where: { email: 'no' } }),
    ],
    [
      'for a key that is taken',
      async (database) => {
        const user = createUser();
        await database.user.create({ data: user });
        await database.user.create({ data: user });
      },
    ],
  ])('%s', async (_name, run) => {
    const error = await run(testDatabase.database).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(Error);
    expect(isDatabaseUnavailable(error)).toBe(false);
  });

  test.each([new Error('some other error'), new TypeError('timeout'), 'P1001', null, undefined])(
    'for %s',
    (error) => {
      expect(isDatabaseUnavailable(error)).toBe(false);
    },
  );
});

const createUser = () => ({
  id: crypto.randomUUID(),
  providerSubject: crypto.randomUUID(),
  email: 'ada@example.com',
});

const open = (databaseUrl: string, poolSize = 2): Database => {
  const database = openDatabase({ databaseUrl, poolSize });
  onTestFinished(() => database.$disconnect());
  return database;
};

const startServer = async (onConnection: (socket: Socket) => void): Promise<string> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return `postgresql://postgres@127.0.0.1:${(server.address() as AddressInfo).port}/any`;
};

const expectUnavailable = async (query: Promise<unknown>) => {
  const error = await query.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(Error);
  expect({ isUnavailable: isDatabaseUnavailable(error), error }).toMatchObject({ isUnavailable: true });
};

let testDatabase: TestDatabase;
beforeAll(async () => {
  testDatabase = await createTestDatabase();
});
afterAll(() => testDatabase.drop());
