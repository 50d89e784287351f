import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import Postgrator from 'postgrator';

/** Beside the sources; a bundle of an app has a copy beside itself. */
const MIGRATIONS_DIRECTORY =
  ['../migrations', './migrations']
    .map((path) => fileURLToPath(new URL(path, import.meta.url)))
    .find((path) => existsSync(path)) ?? 'migrations';
/** Advisory lock that one migration or rollback holds at a time; any number that nothing else uses. */
const MIGRATION_LOCK = 72_707_369;

/** The database was made by other migrations than these: by another version, or by scripts that were edited since. */
export class OtherMigrationsError extends Error {
  override readonly name = 'OtherMigrationsError';
  readonly code = 'other_migrations';

  constructor(cause?: unknown) {
    const message =
      'The database was made by other migrations than those of this version. Make it again; its data is lost. The database of npm start is made again with: npm start -- --reset';
    super(message, { cause });
  }
}

interface MigrationOptions {
  databaseUrl: string;
  /** Where the scripts are; tests bring their own. */
  directory?: string;
}

/**
 * Brings the database to the newest schema, in one transaction. Several processes may do so at once: one applies the
 * migrations, the others wait for it.
 *
 * @returns the names of the migrations applied, oldest first; empty when there was nothing to do
 * @throws {OtherMigrationsError}
 */
export const migrateDatabase = (options: MigrationOptions): Promise<string[]> =>
  withPostgrator(options, async (postgrator) => {
    const applied = await postgrator.migrate();
    return applied.map(({ name }) => name);
  });

/**
 * Reverts the newest applied migration with its undo script, in one transaction.
 *
 * @returns its name, or null when none is applied
 * @throws when the migration has no undo script
 */
export const rollbackMigration = (options: MigrationOptions): Promise<string | null> =>
  withPostgrator(options, async (postgrator) => {
    const version = await postgrator.getDatabaseVersion();
    if (version === 0) return null;
    const [reverted] = await postgrator.migrate(String(version - 1));
    if (reverted === undefined) throw new Error(`migration ${version} has no undo script`);
    return reverted.name;
  });

/** How the schema of a database compares with the migrations of this version. */
export interface MigrationState {
  /** Names of the migrations that are not applied, oldest first. */
  pending: string[];
  /** Versions that were applied from another script than that of this version, or from one that it does not have. */
  foreign: number[];
}

/** Compares without a change and without waiting for a migration in progress. */
export const readMigrationState = async ({
  databaseUrl,
  directory = MIGRATIONS_DIRECTORY,
}: MigrationOptions): Promise<MigrationState> => {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 3_000 });
  await client.connect();
  try {
    const scripts = (await openPostgrator(client, directory).getMigrations()).filter(
      ({ action }) => action === 'do',
    );
    if (scripts.length === 0) throw new Error(`there are no migrations in ${directory}`);
    const {
      rows: [table],
    } = await client.query<{ exists: boolean }>(
      `SELECT to_regclass('schemaversion') IS NOT NULL AS "exists"`,
    );
    const { rows: applied } = table?.exists
      ? await client.query<{ version: string; md5: string | null }>(
          'SELECT version, md5 FROM schemaversion WHERE version > 0 ORDER BY version',
        )
      : { rows: [] };
    const versions = new Set(applied.map(({ version }) => Number(version)));
    const hashes = new Map(scripts.map(({ version, md5 }) => [version, md5]));
    return {
      pending: scripts.filter(({ version }) => !versions.has(version)).map(({ name }) => name),
      foreign: applied
        .filter(({ version, md5 }) => hashes.get(Number(version)) !== md5)
        .map(({ version }) => Number(version)),
    };
  } finally {
    await client.end();
  }
};

const openPostgrator = (client: pg.Client, directory: string): Postgrator =>
  new Postgrator({
    // The pattern is a glob: whatever is special in it is escaped in the path of the folder.
    migrationPattern: `${directory.replace(/[?*()[\]{}]/g, '[$&]')}/*`,
    driver: 'pg',
    execQuery: (query) => client.query(query),
  });

const withPostgrator = async <T>(
  { databaseUrl, directory = MIGRATIONS_DIRECTORY }: MigrationOptions,
  work: (postgrator: Postgrator) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const postgrator = openPostgrator(client, directory);
    await refuseOtherMigrations(postgrator);
    const result = await work(postgrator);
    await client.query('COMMIT');
    return result;
  } finally {
    // Without a COMMIT the server rolls the transaction back.
    await client.end();
  }
};

/** postgrator itself would call a database up to date that has newer migrations than there are scripts. */
const refuseOtherMigrations = async (postgrator: Postgrator): Promise<void> => {
  const version = await postgrator.getDatabaseVersion();
  if (version > (await postgrator.getMaxVersion())) throw new OtherMigrationsError();
  await postgrator.validateMigrations(version).catch((error: unknown) => {
    throw new OtherMigrationsError(error);
  });
};
