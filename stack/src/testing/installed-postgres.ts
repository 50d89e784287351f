import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where Debian and Ubuntu install Postgres, each version in a folder of its own. */
const PARENT = '/usr/lib/postgresql';

/**
 * The folder of the newest Postgres on this machine with a server and `pg_dump`, which the binaries of the registry lack;
 * null when there is none.
 */
export const findInstalledPostgres = (): string | null => {
  const versions = existsSync(PARENT) ? readdirSync(PARENT) : [];
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a)).map((name) => join(PARENT, name));
  const isWhole = (folder: string) =>
    ['initdb', 'postgres', 'pg_dump'].every((program) => existsSync(join(folder, 'bin', program)));
  return newestFirst.find(isWhole) ?? null;
};
