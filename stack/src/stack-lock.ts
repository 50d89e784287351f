import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { commandLineOf } from './process-table.ts';

/** Another stack works on the same data folder. */
export class StackRunningError extends Error {
  override readonly name = 'StackRunningError';
  readonly code = 'stack_running';
}

/** What the command line of a stack's main process holds. */
const STACK_COMMAND = /\bstack[\\/]src[\\/]main\.ts\b/;
/** Tries to take a lock that others give back or leave stale at the same moment. */
const ATTEMPTS = 5;

/**
 * Takes a data folder for this process. A lock whose process has ended (after kill -9, say) is taken over.
 *
 * @returns how to give it back
 * @throws {StackRunningError} while another stack holds it
 */
export const acquireStackLock = (options: {
  lockFile: string;
  pid: number;
  /** The command line of a running process, or null. */
  commandLineOf?: (pid: number) => string | null;
}): { release: () => void } => {
  const { lockFile, pid } = options;
  const readCommandLine = options.commandLineOf ?? commandLineOf;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    if (create(lockFile, pid)) return { release: () => release(lockFile, pid) };
    const holder = readHolder(lockFile);
    if (holder === null) continue;
    if (STACK_COMMAND.test(readCommandLine(holder) ?? '')) {
      throw new StackRunningError(
        `A stack with this data folder runs already (process ${holder}). Stop it with Ctrl-C, or set MAILSWEEP_HOME to another folder.`,
      );
    }
    removeStale(lockFile, holder);
  }
  throw new StackRunningError(`${lockFile} can't be taken: other stacks start at the same moment.`);
};

/** Makes the lock, content included, in one step that only one process can do. */
const create = (lockFile: string, pid: number): boolean => {
  const temporary = `${lockFile}.${pid}.tmp`;
  writeFileSync(temporary, String(pid), { mode: 0o600 });
  try {
    linkSync(temporary, lockFile);
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  } finally {
    rmSync(temporary);
  }
};

const readHolder = (lockFile: string): number | null => {
  try {
    return Number(readFileSync(lockFile, 'utf8'));
  } catch {
    // Given back since we tried.
    return null;
  }
};

const removeStale = (lockFile: string, holder: number): void => {
  const aside = `${lockFile}.${process.pid}.stale.tmp`;
  try {
    renameSync(lockFile, aside);
    // Another process may have taken over the stale lock in between.
    if (readHolder(aside) !== holder) linkSync(aside, lockFile);
    rmSync(aside);
  } catch {
    // Deleted already; the next attempt shows what there is now.
    return;
  }
};

const release = (lockFile: string, pid: number): void => {
  if (readHolder(lockFile) === pid) rmSync(lockFile, { force: true });
};
