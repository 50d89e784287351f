import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { migrateDatabase, rollbackMigration } from './migrate.ts';
import { seedDatabase } from './seed.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

/** The names of the migrations, oldest first. */
const listMigrations = async () => {
  const files = await readdir(new URL('../migrations', import.meta.url));
  return files
    .filter((file) => file.includes('.do.'))
    .toSorted()
    .map((file) => file.split('.')[2]);
};

const query = async (databaseUrl: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query(sql).finally(() => client.end());
  return rows;
};

/** Brings a database that was never migrated, and drops it afterwards. */
const withEmptyDatabase = async (work: (databaseUrl: string) => Promise<void>) => {
  const url = new URL(inject('adminDatabaseUrl'));
  const adminUrl = url.href;
  url.pathname = 'never_migrated';
  await query(adminUrl, 'CREATE DATABASE never_migrated');
  try {
    await work(url.href);
  } finally {
    await query(adminUrl, 'DROP DATABASE never_migrated WITH (FORCE)');
  }
};

const functionNames = () =>
  db.query(`SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace`);

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

  test('every migration can be rolled back and applied again, by two processes at once', async () => {
    const names = await listMigrations();

    for (const name of names.toReversed()) {
      expect(await rollbackMigration({ databaseUrl: db.url })).toBe(name);
    }
    expect(await tableNames()).toEqual(['schemaversion']);
    expect(await functionNames()).toEqual([]);
    expect(await rollbackMigration({ databaseUrl: db.url })).toBeNull();

    const outputs = await Promise.all([runMigrateCommand(), runMigrateCommand()]);
    expect(outputs.toSorted()).toEqual([`Applied ${names.join(', ')}.\n`, 'The database is up to date.\n']);
    expect(await tableNames()).toEqual(expect.arrayContaining(['ActionHistory', 'NotificationEvent']));
  });

  test('rolling back an empty database returns that nothing is applied', async () => {
    await withEmptyDatabase(async (databaseUrl) => {
      expect(await rollbackMigration({ databaseUrl })).toBeNull();
    });
  });

  test('a failed migration leaves the database as it was, and can be corrected and applied', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailsweep-migrations-[1]-'));
    const write = (file: string, sql: string) => writeFile(join(directory, file), sql);
    const readColumns = (databaseUrl: string) =>
      query(databaseUrl, `SELECT column_name FROM information_schema.columns WHERE table_name = 'fruit'`);
    try {
      await withEmptyDatabase(async (databaseUrl) => {
        await write('001.do.fruit.sql', 'CREATE TABLE fruit (name text)');
        expect(await migrateDatabase({ databaseUrl, directory })).toEqual(['fruit']);

        await write('002.do.colour.sql', 'ALTER TABLE fruit ADD COLUMN colour text; SELECT 1 / 0');
        await expect(migrateDatabase({ databaseUrl, directory })).rejects.toThrow('division by zero');
        expect(await readColumns(databaseUrl)).toEqual([{ column_name: 'name' }]);

        await write('002.do.colour.sql', 'ALTER TABLE fruit ADD COLUMN colour text');
        expect(await migrateDatabase({ databaseUrl, directory })).toEqual(['colour']);
        expect(await readColumns(databaseUrl)).toHaveLength(2);
        await expect(rollbackMigration({ databaseUrl, directory })).rejects.toThrow('no undo script');
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('a migration that was edited after it was applied is refused', async () => {
    await db.query(`UPDATE schemaversion SET md5 = 'another' WHERE version = 1`);
    await expect(migrateDatabase({ databaseUrl: db.url })).rejects.toThrow('MD5 checksum failed');
    await db.query('UPDATE schemaversion SET md5 = NULL WHERE version = 1');
  });
});

describe('a history from before there were batches', () => {
  test('gets one batch for each request, and keeps its counts', async () => {
    const { userId } = await seedDatabase({ databaseUrl: db.url });
    const readCounts = () => db.query('SELECT * FROM "ActionHistoryTotal" ORDER BY "action"');
    const counts = await readCounts();
    const newer = (await listMigrations()).length - 1;
    for (let index = 0; index < newer; index += 1) await rollbackMigration({ databaseUrl: db.url });
    await db.query(
      `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "undoneAt")
       SELECT gen_random_uuid(), $1, 'email-' || n, 'archive', '2026-01-01T00:00:00Z', '{"source": "inbox"}',
         CASE WHEN n = 1 THEN now() END
       FROM generate_series(1, 3) AS n`,
      [userId],
    );
    await migrateDatabase({ databaseUrl: db.url });

    const batches = await db.query(
      'SELECT "source", "action", "total", "undone" FROM "ActionBatch" ORDER BY "total" DESC, "action"',
    );
    expect(batches).toEqual([
      { source: 'inbox', action: 'archive', total: 3, undone: 1 },
      { source: 'inbox', action: 'archive', total: 1, undone: 0 },
      { source: 'inbox', action: 'delete', total: 1, undone: 0 },
      { source: 'inbox', action: 'mark_unread', total: 1, undone: 0 },
    ]);
    const records = await db.query<{ total: number }>(
      'SELECT "total" FROM "ActionHistory" JOIN "ActionBatch" ON "ActionBatch"."id" = "batchId"',
    );
    expect(records.map(({ total }) => total).toSorted()).toEqual([1, 1, 1, 3, 3, 3]);
    await db.query(`DELETE FROM "ActionHistory" WHERE "emailId" LIKE 'email-%'`);
    expect(await readCounts()).toEqual(counts);
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
