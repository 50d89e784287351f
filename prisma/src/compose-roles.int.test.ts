import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { openDatabase } from './client.ts';
import { migrateDatabase } from './migrate.ts';
import { seedDatabase } from './seed.ts';

const SCRIPT = fileURLToPath(new URL('../compose-roles.sql', import.meta.url));
/** Stands for the names in the script: roles belong to the whole test server. */
const name = `roles_${randomUUID().replaceAll('-', '')}`;
const OWNER = `${name}_owner`;
const SERVICE = `${name}_service`;

const urlOf = (database: string, user?: string): string => {
  const url = new URL(inject('adminDatabaseUrl'));
  url.pathname = database;
  if (user !== undefined) {
    url.username = user;
    url.password = 'secret-word';
  }
  return url.href;
};

const run = async (url: string, ...statements: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
};

/** The script as psql runs it, for a database of the test's own. */
const readScript = (): string =>
  readFileSync(SCRIPT, 'utf8')
    .replace(/^\\.*$/gm, '')
    .replace(/:'\w+_password'/g, "'secret-word'")
    .replaceAll('mailsweep', name);

beforeAll(async () => {
  await run(inject('adminDatabaseUrl'), `CREATE DATABASE ${name}`);
  await run(urlOf(name), readScript());
  await migrateDatabase({ databaseUrl: urlOf(name, OWNER) });
});
afterAll(() =>
  run(
    inject('adminDatabaseUrl'),
    `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`,
    `DROP ROLE IF EXISTS ${OWNER}`,
    `DROP ROLE IF EXISTS ${SERVICE}`,
  ),
);

describe('the roles of docker-compose.yml', () => {
  test('let the services read and write rows, and call the functions of the database', async () => {
    const url = urlOf(name, SERVICE);
    const { userId } = await seedDatabase({ databaseUrl: url });
    const database = openDatabase({ databaseUrl: url });
    try {
      expect(await database.actionHistory.count({ where: { userId } })).toBeGreaterThan(0);
      await database.actionHistory.deleteMany({ where: { userId } });
      await database.$executeRaw`SELECT "addUpNotificationDeltas"()`;
      expect(await database.actionHistory.count({ where: { userId } })).toBe(0);
    } finally {
      await database.$disconnect();
    }
  });

  test.each([
    'CREATE TABLE "Mine" ("id" int)',
    'CREATE TEMPORARY TABLE "mine" ("id" int)',
    'DROP TABLE "User"',
    'TRUNCATE "User"',
    'ALTER TABLE "User" DISABLE TRIGGER ALL',
    'CREATE ROLE "another"',
  ])('refuse the services %s', async (statement) => {
    // insufficient_privilege
    await expect(run(urlOf(name, SERVICE), statement)).rejects.toMatchObject({ code: '42501' });
  });

  test('give no other role access to the database', async () => {
    const stranger = `${name}_stranger`;
    await run(inject('adminDatabaseUrl'), `CREATE ROLE ${stranger} LOGIN PASSWORD 'secret-word'`);
    try {
      await expect(run(urlOf(name, stranger), 'SELECT 1')).rejects.toMatchObject({ code: '42501' });
    } finally {
      await run(inject('adminDatabaseUrl'), `DROP ROLE ${stranger}`);
    }
  });
});
