import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
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
 * Brings the database to the newest schema. Each migration is a transaction: with the locks of several, it could deadlock with
 * requests of the previous version. Several processes may migrate at once: one applies the
 * migrations, the others wait for it.
 *
 * @returns the names of the migrations applied, oldest first; empty when there was nothing to do
 * @throws {OtherMigrationsError}
 */
export const migrateDatabase = (options: MigrationOptions): Promise<string[]> =>
  withMigrationLock(options, async (inTransaction) => {
    const applied: string[] = [];
    for (;;) {
      const name = await inTransaction(async (postgrator) => {
        const version = await postgrator.getDatabaseVersion();
        const versions = (await postgrator.getMigrations()).map((migration) => migration.version);
        const [next] = versions.filter((each) => each > version).toSorted((a, b) => a - b);
        return next === undefined ? undefined : (await postgrator.migrate(String(next)))[0]?.name;
      });
      if (name === undefined) return applied;
      applied.push(name);
    }
  });

/**
 * Reverts the newest applied migration with its undo script, in one transaction.
 *
 * @returns its name, or null when none is applied
 * @throws when the migration has no undo script
 */
export const rollbackMigration = (options: MigrationOptions): Promise<string | null> =>
  withMigrationLock(options, (inTransaction) =>
    inTransaction(async (postgrator) => {
      const version = await postgrator.getDatabaseVersion();
      if (version === 0) return null;
      const [reverted] = await postgrator.migrate(String(version - 1));
      if (reverted === undefined) throw new Error(`migration ${version} has no undo script`);
      return reverted.name;
    }),
  );

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

/** How long a migration waits for a lock. Requests for the same table wait behind it. */
const LOCK_TIMEOUT_MS = 2_000;
/** How often a migration that got no lock is tried again, and the pause before. */
const MAX_RETRIES = 30;
const RETRY_PAUSE_MS = 1_000;
/** `lock_not_available` and `deadlock_detected`: others use the tables. */
const LOCK_ERRORS = ['55P03', '40P01'];

type InTransaction = <T>(work: (postgrator: Postgrator) => Promise<T>) => Promise<T>;

const withMigrationLock = async <T>(
  { databaseUrl, directory = MIGRATIONS_DIRECTORY }: MigrationOptions,
  work: (inTransaction: InTransaction) => Promise<T>,
): Promise<T> => {
  // A connection of its own holds the lock, in a transaction: a pooler may give each transaction another session.
  const holder = new pg.Client({ connectionString: databaseUrl });
  const client = new pg.Client({ connectionString: databaseUrl });
  const attempt = async <R>(step: (postgrator: Postgrator) => Promise<R>): Promise<R> => {
    await client.query('BEGIN');
    try {
      await client.query(`SET LOCAL lock_timeout = ${LOCK_TIMEOUT_MS}`);
      const result = await step(openPostgrator(client, directory));
      await client.query('COMMIT');
      return result;
    } catch (error) {
      await client.query('ROLLBACK');
      throw error;
    }
  };
  const inTransaction: InTransaction = async (step) => {
    for (let retries = 0; ; retries += 1) {
      try {
        return await attempt(step);
      } catch (error) {
        const isLocked = error instanceof pg.DatabaseError && LOCK_ERRORS.includes(error.code ?? '');
        if (!isLocked || retries === MAX_RETRIES) throw error;
        await sleep(RETRY_PAUSE_MS);
      }
    }
  };
  try {
    await holder.connect();
    await client.connect();
    await holder.query('BEGIN');
    await holder.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
    await inTransaction(refuseOtherMigrations);
    return await work(inTransaction);
  } finally {
    // Without a COMMIT the server rolls the transactions back.
    await Promise.all([client.end(), holder.end()]);
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
