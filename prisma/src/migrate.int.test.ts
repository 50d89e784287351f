import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { migrateDatabase, OtherMigrationsError, rollbackMigration } from './migrate.ts';
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

const runMigrateCommand = async (databaseUrl: string) => {
  const command = fileURLToPath(new URL('./commands.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [command, 'migrate'], {
    env: { DATABASE_URL: databaseUrl },
  });
  return stdout;
};

/** In SQL, since the client knows the newest tables only. */
const ROWS_OF_THEN = `
  WITH someone AS (
    INSERT INTO "User" ("id", "providerSubject", "email") VALUES (gen_random_uuid(), 'ada', 'ada@example.com')
    RETURNING "id"),
  acted AS (
    INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
    SELECT gen_random_uuid(), "id", action, action, now() - interval '20 hours', '{"source":"inbox"}'
    FROM someone, unnest(ARRAY['archive', 'delete', 'mark_unread']) AS action)
  INSERT INTO "NotificationEvent" ("id", "userId", "type", "createdAt")
  SELECT gen_random_uuid(), "id", 'domain.suggestions.confirmed', now() - make_interval(hours => hours)
  FROM someone, unnest(ARRAY[2, 30, 200]) AS hours`;

describe('migrating the database', () => {
  test('an up-to-date database is left alone', async () => {
    expect(await migrateDatabase({ databaseUrl: db.ownerUrl })).toEqual([]);
  });

  test('every migration can be rolled back and applied again, by two processes at once', async () => {
    const names = await listMigrations();

    for (const name of names.toReversed()) {
      expect(await rollbackMigration({ databaseUrl: db.ownerUrl })).toBe(name);
    }
    expect(await tableNames()).toEqual(['schemaversion']);
    expect(await functionNames()).toEqual([]);
    expect(await rollbackMigration({ databaseUrl: db.ownerUrl })).toBeNull();

    const outputs = await Promise.all([runMigrateCommand(db.ownerUrl), runMigrateCommand(db.ownerUrl)]);
    expect(outputs.toSorted()).toEqual([`Applied ${names.join(', ')}.\n`, 'The database is up to date.\n']);
    expect(await tableNames()).toEqual(expect.arrayContaining(['ActionHistory', 'NotificationEvent']));
  }, 90_000);

  test('rolling back an empty database returns that nothing is applied', async () => {
    await withEmptyDatabase(async (databaseUrl) => {
      expect(await rollbackMigration({ databaseUrl })).toBeNull();
    });
  });

  test('migrations release a table before the next one waits for another, and try again: nobody else fails', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailsweep-migrations-'));
    const write = (file: string, sql: string) => writeFile(join(directory, file), sql);
    try {
      await withEmptyDatabase(async (databaseUrl) => {
        await write('001.do.tables.sql', 'CREATE TABLE first (id int); CREATE TABLE second (id int)');
        await migrateDatabase({ databaseUrl, directory });
        await write('002.do.first.sql', 'ALTER TABLE first ADD COLUMN name text');
        await write('003.do.second.sql', 'ALTER TABLE second ADD COLUMN name text');
        const request = new pg.Client({ connectionString: databaseUrl });
        await request.connect();
        await request.query('BEGIN');
        await request.query('SELECT FROM second');
        const migrating = migrateDatabase({ databaseUrl, directory });
        await vi.waitFor(
          async () =>
            expect(await query(databaseUrl, 'SELECT FROM pg_locks WHERE NOT granted')).not.toEqual([]),
          { timeout: 10_000 },
        );
        await request.query('SELECT name FROM first');
        // As long as the migration waits for it.
        await vi.waitFor(
          async () => expect(await query(databaseUrl, 'SELECT FROM pg_locks WHERE NOT granted')).toEqual([]),
          { timeout: 10_000 },
        );
        await request.end();
        expect(await migrating).toEqual(['first', 'second']);
      });
    } finally {
      await rm(directory, { recursive: true });
    }
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

  test('acceptances that were undone no longer count as rejections after the upgrade', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailsweep-migrations-'));
    try {
      await cp(
        new URL('../migrations/001.do.initial.sql', import.meta.url),
        join(directory, '001.do.initial.sql'),
      );
      await withEmptyDatabase(async (databaseUrl) => {
        await migrateDatabase({ databaseUrl, directory });
        await query(
          databaseUrl,
          `INSERT INTO "ActionHistory"
             ("id", "userId", "emailId", "action", "timestamp", "details", "senderKey", "undoneAt")
           SELECT gen_random_uuid(), '019a0000-0000-7000-8000-00000000000a', 'm' || n, 'accept', now(),
             '{"suggestions": [{"action": "archive", "classification": "bulk", "confidence_score": 0.9}]}',
             'sender', CASE WHEN n > 1 THEN now() END
           FROM generate_series(1, 3) AS n`,
        );
        const readCounts = () =>
          query(databaseUrl, 'SELECT "decided"::int, "accepted"::int FROM "SenderAcceptance"');
        expect(await readCounts()).toEqual([{ decided: 3, accepted: 1 }]);

        await migrateDatabase({ databaseUrl });
        expect(await readCounts()).toEqual([{ decided: 1, accepted: 1 }]);
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('connections from before there were several providers are Gmail’s, and the others end with a rollback', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailsweep-migrations-'));
    const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
    const copyUpTo = (number: number) =>
      cp(migrations, directory, {
        recursive: true,
        filter: (file) => file === migrations || Number.parseInt(basename(file), 10) <= number,
      });
    const connect = (subject: string, columns = '', values = '') => `
      WITH someone AS (
        INSERT INTO "User" ("id", "providerSubject", "email") VALUES (gen_random_uuid(), '${subject}', 'ada@example.com')
        ON CONFLICT ("providerSubject") DO UPDATE SET "email" = excluded."email" RETURNING "id")
      INSERT INTO "ProviderConnection" ("userId", "encryptedAccessToken", "accessTokenExpiresAt", "scope"${columns})
      SELECT "id", 'ciphertext', now(), 'mail'${values} FROM someone`;
    try {
      await copyUpTo(15);
      await withEmptyDatabase(async (databaseUrl) => {
        await migrateDatabase({ databaseUrl, directory });
        await query(databaseUrl, connect('before'));
        await copyUpTo(16);
        expect(await migrateDatabase({ databaseUrl, directory })).toEqual(['providers']);
        // As the version before still does.
        await query(databaseUrl, connect('during'));
        await query(
          databaseUrl,
          connect('jmap:example:u1', ', "provider", "accountId"', `, 'example', 'u1'`),
        );
        expect(
          await query(
            databaseUrl,
            'SELECT "provider", "accountId" FROM "ProviderConnection" ORDER BY "provider"',
          ),
        ).toEqual([
          { provider: 'example', accountId: 'u1' },
          { provider: 'gmail', accountId: null },
          { provider: 'gmail', accountId: null },
        ]);

        expect(await rollbackMigration({ databaseUrl, directory })).toBe('providers');
        expect(
          await query(
            databaseUrl,
            `SELECT "providerSubject" FROM "User" JOIN "ProviderConnection" ON "userId" = "id"
             WHERE "reauthRequiredAt" IS NOT NULL`,
          ),
        ).toEqual([{ providerSubject: 'jmap:example:u1' }]);
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test('rolling back live counts restores the stored ones, those of rows that are there included', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'mailsweep-migrations-'));
    const migrations = fileURLToPath(new URL('../migrations', import.meta.url));
    const isBefore = (file: string, number: number) => Number.parseInt(file, 10) < number;
    try {
      await cp(migrations, directory, {
        recursive: true,
        filter: (file) => file === migrations || isBefore(basename(file), 6),
      });
      await withEmptyDatabase(async (databaseUrl) => {
        const readCounts = () =>
          query(
            databaseUrl,
            `SELECT "userId", "action", "source", "count", NULL AS "day" FROM "ActionHistoryTotal"
             UNION ALL SELECT "userId", NULL, NULL, "count", "day" FROM "ActionHistoryDay"
             UNION ALL SELECT "userId", "type", NULL, "count", "day" FROM "NotificationEventDay" ORDER BY 1, 2, 3, 5`,
          );
        const readDefinitions = () =>
          query(
            databaseUrl,
            `SELECT pg_get_functiondef(oid) AS "text" FROM pg_proc WHERE pronamespace = 'public'::regnamespace
             UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
             UNION ALL SELECT pg_get_indexdef(indexrelid) FROM pg_index WHERE indrelid::regclass::text !~ '^pg_'
             UNION ALL SELECT relname || reloptions::text FROM pg_class WHERE relnamespace = 'public'::regnamespace
             ORDER BY 1`,
          );
        await migrateDatabase({ databaseUrl, directory });
        await query(databaseUrl, ROWS_OF_THEN);
        const [counts, definitions] = [await readCounts(), await readDefinitions()];
        expect(counts).not.toEqual([]);

        await cp(migrations, directory, {
          recursive: true,
          filter: (file) => file === migrations || isBefore(basename(file), 7),
        });
        await migrateDatabase({ databaseUrl, directory });
        await expect(readCounts()).rejects.toThrow('does not exist');
        expect(await query(databaseUrl, 'SELECT FROM "ActionHistory"')).toHaveLength(3);

        expect(await rollbackMigration({ databaseUrl, directory })).toBe('live_counts');
        expect(await readCounts()).toEqual(counts);
        expect(await readDefinitions()).toEqual(definitions);
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });

  test.each([
    ['a script that was edited since', `UPDATE schemaversion SET md5 = 'another' WHERE version = 1`],
    ['a script that is gone', `INSERT INTO schemaversion (version, name) VALUES (999, 'learning')`],
  ])('a database made by %s is refused with what to do, and stays as it is', async (_case, change) => {
    await withEmptyDatabase(async (databaseUrl) => {
      await migrateDatabase({ databaseUrl });
      await query(databaseUrl, change);
      await expect(runMigrateCommand(databaseUrl)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringMatching(/^migrate failed: .*other migrations.*npm start -- --reset\n$/),
      });
      await expect(rollbackMigration({ databaseUrl })).rejects.toThrow(OtherMigrationsError);
      expect(await query(databaseUrl, 'SELECT 1 FROM "User"')).toEqual([]);
    });
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
