import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findPostmaster, removePostgresData } from '../database/postgres-place.ts';
import { commandLineOf, isRunning } from '../database/process-table.ts';

/** A folder is named after the process that needs it. */
const FOLDER_NAME = /^mailsweep-test-(\d+)-/;
/** How often to look whether a server has ended, in milliseconds. */
const POLL_MS = 20;

/** Where the data of one run's servers is. */
export interface ServerFolder {
  postgresDataDir: string;
  /** Where Redis notes its process id. */
  redisPidFile: string;
  /** Deletes it. The servers must have stopped. */
  remove(): void;
}

const openFolder = (path: string): ServerFolder => {
  const postgresDataDir = join(path, 'postgres');
  return {
    postgresDataDir,
    redisPidFile: join(path, 'redis.pid'),
    remove() {
      removePostgresData(postgresDataDir);
      rmSync(path, { recursive: true, force: true });
    },
  };
};

/** Makes a folder for the servers of this process. */
export const makeServerFolder = (parent: string): ServerFolder => {
  const path = mkdtempSync(join(parent, `mailsweep-test-${process.pid}-`));
  // As root, Postgres runs as another user, who has to pass through this folder.
  if (userInfo().uid === 0) chmodSync(path, 0o711);
  return openFolder(path);
};

/**
 * Ends servers whose process was killed before it could, and deletes their data: nothing else tells them that they
 * are needed no longer.
 */
export const endAbandonedServers = async (parent: string): Promise<void> => {
  for (const name of readdirSync(parent)) {
    const owner = FOLDER_NAME.exec(name)?.[1];
    if (owner === undefined || isRunning(Number(owner))) continue;
    const folder = openFolder(join(parent, name));
    await endServer('postgres', findPostmaster(folder.postgresDataDir));
    await endServer('redis-server', readRedisPid(folder.redisPidFile));
    folder.remove();
  }
};

const readRedisPid = (file: string): number | null =>
  existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;

const endServer = async (program: string, pid: number | null): Promise<void> => {
  // Process ids are reused.
  const isServer = () => pid !== null && (commandLineOf(pid) ?? '').includes(program);
  if (pid !== null && isServer()) process.kill(pid, 'SIGINT');
  while (isServer()) await delay(POLL_MS);
};
