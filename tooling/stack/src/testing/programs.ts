import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { findChromium, findFirefox, findHeadlessShell } from '../test-run/optional-programs.ts';

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

/**
 * The first Python 3 on the path that has all the modules; null when there is none. More than one may be installed, and
 * only that of the system finds the packages of the system.
 */
export const findPython = (options: { path: string; modules: readonly string[] }): string | null => {
  const candidates = options.path.split(delimiter).map((folder) => join(folder, 'python3'));
  const imports = `import ${options.modules.join(', ')}`;
  const hasModules = (python: string) => spawnSync(python, ['-c', imports]).status === 0;
  return candidates.find((python) => existsSync(python) && hasModules(python)) ?? null;
};

const { env } = process;

/** Where the browser of the end-to-end tests is; undefined where none is installed. */
export const chromiumPath = findChromium(env);

/** Where the same browser without windows and notifications is. */
export const headlessShellPath = findHeadlessShell(env);

/** Where Firefox is, which a few of them run in, too; undefined where it is not installed. */
export const firefoxPath = findFirefox(env);
