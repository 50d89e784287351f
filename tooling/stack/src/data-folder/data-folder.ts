import { chmodSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { removePostgresData } from '../database/postgres-place.ts';

const OWN_ENTRIES = {
  stackFile: 'stack.json',
  lockFile: 'stack.lock',
  secretsFile: 'secrets.json',
  mailboxChangesFile: 'mailbox-changes.json',
  logsDir: 'logs',
  postgresDir: 'postgres',
  postgresPlace: 'postgres.place',
} as const;
/** Besides those: what a crash in the middle of a write leaves behind. */
const LEFTOVER = /\.tmp$|^postgres\.password$/;

export type DataFolder = { dir: string } & Record<keyof typeof OWN_ENTRIES, string>;

/** The folder holds something that the stack did not put there. */
export class ForeignDataError extends Error {
  override readonly name = 'ForeignDataError';
}

export const dataFolderAt = (dir: string): DataFolder => {
  const paths = Object.entries(OWN_ENTRIES).map(([name, entry]) => [name, join(dir, entry)]);
  return { dir, ...Object.fromEntries(paths) };
};

export const prepareDataFolder = ({ dir, logsDir }: DataFolder): void => {
  mkdirSync(dir, { recursive: true });
  // As root, Postgres runs as another user, who has to pass through this folder; its files stay private.
  if (userInfo().uid === 0) chmodSync(dir, 0o711);
  mkdirSync(logsDir, { recursive: true, mode: 0o700 });
};

/**
 * Deletes the data of a stack in the folder, except the lock that this process holds.
 *
 * @throws {ForeignDataError} when there is anything else in it: then nothing is deleted
 */
export const resetDataFolder = (folder: DataFolder): void => {
  const own: string[] = Object.values(OWN_ENTRIES);
  const entries = readdirSync(folder.dir);
  const foreign = entries.filter((entry) => !own.includes(entry) && !LEFTOVER.test(entry));
  if (foreign.length > 0) {
    throw new ForeignDataError(
      `${folder.dir} holds something that is not of a Mailsweep stack (${foreign[0]}); nothing was deleted.`,
    );
  }
  removePostgresData(folder.postgresDir);
  for (const entry of entries.filter((name) => name !== OWN_ENTRIES.lockFile)) {
    rmSync(join(folder.dir, entry), { recursive: true, force: true });
  }
};
