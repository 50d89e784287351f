import pg from 'pg';
import { listMigrations, readDownScript } from './migrations.ts';
import { withSchemaEngine } from './schema-engine.ts';

/** Advisory lock of migrations, the number that Prisma's engine takes: nobody rolls back while another migrates. */
const MIGRATION_LOCK = 72_707_369;

/**
 * Brings the database to the newest schema; the engine's own lock makes it safe from several processes at once.
 *
 * @returns the names of the migrations applied, oldest first; empty when there was nothing to do
 */
export const migrateDatabase = (options: { databaseUrl: string }): Promise<string[]> =>
  withSchemaEngine(options.databaseUrl, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: listMigrations(),
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  });

/**
 * Takes the newest applied migration back with its down script, in one transaction.
 *
 * @returns its name, or null when none is applied
 */
export const rollbackMigration = async (options: { databaseUrl: string }): Promise<string | null> => {
  const client = new pg.Client({ connectionString: options.databaseUrl });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const name = await findNewestMigration(client);
    if (name === null) return null;
    await client.query('BEGIN');
    await client.query(readDownScript(name));
    await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
    await client.query('COMMIT');
    return name;
  } finally {
    await client.end();
  }
};

const findNewestMigration = async (client: pg.Client): Promise<string | null> => {
  const table = await client.query<{ found: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS found`,
  );
  if (table.rows[0]?.found !== true) return null;
  const applied = await client.query<{ migration_name: string }>(
    `SELECT migration_name FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name DESC LIMIT 1`,
  );
  return applied.rows[0]?.migration_name ?? null;
};
