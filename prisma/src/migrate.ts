import { fileURLToPath } from 'node:url';
import pg from 'pg';
import Postgrator from 'postgrator';

const MIGRATIONS_DIRECTORY = fileURLToPath(new URL('../migrations', import.meta.url));
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

const withPostgrator = async <T>(
  { databaseUrl, directory = MIGRATIONS_DIRECTORY }: MigrationOptions,
  work: (postgrator: Postgrator) => Promise<T>,
): Promise<T> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    const postgrator = new Postgrator({
      // The pattern is a glob: whatever is special in it is escaped in the path of the folder.
      migrationPattern: `${directory.replace(/[?*()[\]{}]/g, '[$&]')}/*`,
      driver: 'pg',
      execQuery: (query) => client.query(query),
    });
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
