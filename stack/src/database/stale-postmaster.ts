import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { locatePostgres } from './postgres-place.ts';
import { commandLineOf, isRunning } from './process-table.ts';

/** How long a server gets to end in an orderly way, and then at all, in milliseconds. */
const ORDERLY_END_MS = 5_000;
const POLL_MS = 50;

/** Process id of the server that runs, or ran last, on this data; undefined when it ended in an orderly way. */
export const readPostmasterPid = (placedDataDir: string): number | undefined => {
  const file = join(placedDataDir, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  return Number(readFileSync(file, 'utf8').split('\n')[0]) || undefined;
};

/**
 * Clears what a server leaves behind whose keeper was killed (kill -9): the server itself when it still runs, or a
 * lock file whose process id belongs to another process by now, which Postgres would take for a running server.
 */
export const endStalePostmaster = async (dataDir: string): Promise<void> => {
  const { dataDir: placed } = await locatePostgres(dataDir);
  const pid = readPostmasterPid(placed);
  if (pid === undefined || !isRunning(pid)) return;
  const isOurs = (commandLineOf(pid) ?? '').includes(placed);
  if (!isOurs) {
    rmSync(join(placed, 'postmaster.pid'), { force: true });
    return;
  }
  // Postgres's "fast" shutdown; then the "immediate" one, after which the next start recovers.
  process.kill(pid, 'SIGINT');
  if (await hasEnded(pid)) return;
  process.kill(pid, 'SIGQUIT');
  await hasEnded(pid);
};

const hasEnded = async (pid: number): Promise<boolean> => {
  const deadline = Date.now() + ORDERLY_END_MS;
  while (isRunning(pid)) {
    if (Date.now() > deadline) return false;
    await delay(POLL_MS);
  }
  return true;
};
