import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Where the SQL migrations stand, one folder each. */
const MIGRATIONS_DIR = fileURLToPath(new URL('../migrations/', import.meta.url));

/** The migrations in the form in which the schema engine lists them, oldest first. */
export const listMigrations = () => ({
  baseDir: MIGRATIONS_DIR,
  lockfile: {
    path: 'migration_lock.toml',
    content: readFileSync(`${MIGRATIONS_DIR}migration_lock.toml`, 'utf8'),
  },
  shadowDbInitScript: '',
  migrationDirectories: readdirSync(MIGRATIONS_DIR, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .sort()
    .map((name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: {
          tag: 'ok' as const,
          value: readFileSync(`${MIGRATIONS_DIR}${name}/migration.sql`, 'utf8'),
        },
      },
    })),
});

/**
 * The script that takes a migration back.
 *
 * @throws when the migration brings none
 */
export const readDownScript = (name: string): string => {
  const path = `${MIGRATIONS_DIR}${name}/down.sql`;
  if (!existsSync(path)) throw new Error(`migration ${name} has no down.sql and can't be rolled back`);
  return readFileSync(path, 'utf8');
};
