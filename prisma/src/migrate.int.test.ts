import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { listMigrations } from './migrations.ts';
import { seedDatabase } from './seed.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

const tableNames = async () =>
  (
    await db.query<{ name: string }>(
      `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public'`,
    )
  ).map((row) => row.name);

const runMigrateCommand = async () => {
  const command = fileURLToPath(new URL('./commands.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'migrate'], {
    env: { DATABASE_URL: db.url },
  });
  return stdout;
};

describe('migrating the database', () => {
  test('an up-to-date database is left alone', async () => {
    expect(await migrateDatabase({ databaseUrl: db.url })).toEqual([]);
  });

  test('every migration can be taken back and applied again, by two processes at once', async () => {
    const names = listMigrations().migrationDirectories.map((migration) => migration.path);

    for (const name of names.toReversed()) {
      expect(await rollbackMigration({ databaseUrl: db.url })).toBe(name);
    }
    expect(await tableNames()).toEqual(['_prisma_migrations']);
    expect(await rollbackMigration({ databaseUrl: db.url })).toBeNull();

    const outputs = await Promise.all([runMigrateCommand(), runMigrateCommand()]);
    expect(outputs.toSorted()).toEqual([`Applied ${names.join(', ')}.\n`, 'The database is up to date.\n']);
    expect(await tableNames()).toEqual(expect.arrayContaining(['ActionHistory', 'NotificationEvent']));
  });

  test('rolling back an empty database answers that nothing is applied', async () => {
    const url = new URL(inject('adminDatabaseUrl'));
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query('CREATE DATABASE never_migrated');
    url.pathname = 'never_migrated';
    try {
      expect(await rollbackMigration({ databaseUrl: url.href })).toBeNull();
    } finally {
      await client.query('DROP DATABASE never_migrated WITH (FORCE)');
      await client.end();
    }
  });
});

describe('seeding', () => {
  test('seeding twice leaves one sample history', async () => {
    await seedDatabase({ databaseUrl: db.url });
    const { userId } = await seedDatabase({ databaseUrl: db.url });

    expect(await db.query('SELECT 1 FROM "ActionHistory" WHERE "userId" = $1', [userId])).toHaveLength(3);
    expect(await db.query('SELECT 1 FROM "NotificationEvent" WHERE "userId" = $1', [userId])).toHaveLength(3);
  });
});

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
