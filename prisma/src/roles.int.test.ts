import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { makeRoles, toRoleUrls } from './roles.ts';
import { seedDatabase } from './seed.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** insufficient_privilege */
const REFUSED = { code: '42501' };

describe('the roles of compose-roles.sql', () => {
  test('let the services read and write rows, and call the functions of the database', async () => {
    const { userId } = await seedDatabase({ databaseUrl: db.serviceUrl });
    expect(await db.database.actionHistory.count({ where: { userId } })).toBeGreaterThan(0);
    await db.database.actionHistory.deleteMany({ where: { userId } });
    await db.database.$executeRaw`SELECT "addUpNotificationDeltas"()`;
    expect(await db.database.actionHistory.count({ where: { userId } })).toBe(0);
  });

  test('let the services do what the queue does', async () => {
    await run(
      db.serviceUrl,
      'CREATE TABLE bullmq."mine" ("id" int)',
      'CREATE TEMPORARY TABLE "mine" ("id" int)',
    );
  });

  test.each([
    'CREATE TABLE "Mine" ("id" int)',
    'CREATE SCHEMA "mine"',
    'DROP TABLE "User"',
    'TRUNCATE "User"',
    'ALTER TABLE "User" DISABLE TRIGGER ALL',
    'CREATE ROLE "another"',
  ])('refuse the services %s', async (statement) => {
    await expect(run(db.serviceUrl, statement)).rejects.toMatchObject(REFUSED);
  });

  test('give no other role access to the database', async () => {
    const stranger = `stranger_${randomUUID().replaceAll('-', '')}`;
    const admin = inject('adminDatabaseUrl');
    await run(admin, `CREATE ROLE ${stranger} LOGIN PASSWORD 'secret-word'`);
    const url = Object.assign(new URL(db.url), { username: stranger, password: 'secret-word' });
    try {
      await expect(run(url.href, 'SELECT 1')).rejects.toMatchObject(REFUSED);
    } finally {
      await run(admin, `DROP ROLE ${stranger}`);
    }
  });

  let db: TestDatabase;
  beforeAll(async () => {
    db = await createTestDatabase();
  });
  afterAll(() => db.drop());
});

test('a database that a superuser made is handed over to the roles, migrations and the queue included', async () => {
  const admin = inject('adminDatabaseUrl');
  const name = `roles_${randomUUID().replaceAll('-', '')}`;
  const superuserUrl = Object.assign(new URL(admin), { pathname: name }).href;
  const { ownerUrl, serviceUrl } = toRoleUrls(superuserUrl);
  await run(admin, `CREATE DATABASE ${name}`);
  try {
    await migrateDatabase({ databaseUrl: superuserUrl });
    await run(
      superuserUrl,
      `CREATE SCHEMA bullmq;
       CREATE TYPE bullmq."state" AS ENUM ('waiting');
       CREATE SEQUENCE bullmq."seq";
       CREATE TABLE bullmq."job" ("id" bigserial, "state" bullmq."state");
       CREATE FUNCTION bullmq."add"("new" bullmq."state") RETURNS int LANGUAGE sql AS 'SELECT 1'`,
    );
    // As often as the stack starts.
    for (let start = 1; start <= 2; start += 1) await makeRoles(superuserUrl);
    while ((await rollbackMigration({ databaseUrl: ownerUrl })) !== null);
    expect(await migrateDatabase({ databaseUrl: ownerUrl })).toContain('initial');
    await seedDatabase({ databaseUrl: serviceUrl });
    await run(serviceUrl, 'SELECT nextval(\'bullmq."seq"\')', 'INSERT INTO bullmq."job" DEFAULT VALUES');
    await run(serviceUrl, 'DROP SCHEMA bullmq CASCADE');
  } finally {
    await run(admin, `DROP DATABASE ${name} WITH (FORCE)`);
  }
});
