import { existsSync, readFileSync } from 'node:fs';
import { lock } from 'proper-lockfile';
import type { DataFolder } from './data-folder.ts';
import type { StackAddresses } from './stack-file.ts';

/** Another stack works on the same data folder. */
export class StackRunningError extends Error {
  override readonly name = 'StackRunningError';
}

/** How often a lock is renewed, and when one that is not counts as left behind (by kill -9, say), in milliseconds. */
const RENEWAL = { update: 1_000, stale: 3_000 };
/** Long enough to see that a lock is not renewed. */
const ATTEMPTS = { retries: 8, factor: 1, minTimeout: 500, maxTimeout: 500 };

/**
 * Takes a data folder for this process, until it ends.
 *
 * @param options.onLost - another stack has taken over, because this process did not run for seconds
 * @throws {StackRunningError} while another stack holds it
 */
export const acquireStackLock = async (options: {
  folder: Pick<DataFolder, 'dir' | 'lockFile' | 'stackFile'>;
  onLost: (error: StackRunningError) => void;
}): Promise<void> => {
  const { dir, lockFile, stackFile } = options.folder;
  try {
    await lock(dir, {
      lockfilePath: lockFile,
      ...RENEWAL,
      retries: ATTEMPTS,
      onCompromised: () =>
        options.onLost(new StackRunningError('Another stack has taken the data folder over.')),
    });
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ELOCKED')) throw error;
    throw new StackRunningError(
      `A stack with this data folder runs already${describe(stackFile)}. Stop it with Ctrl-C, or set MAILSWEEP_HOME to another folder.`,
    );
  }
};

/** Where it is; it says so once all its parts respond. */
const describe = (stackFile: string): string => {
  if (!existsSync(stackFile)) return '';
  const { api, web, setup, pid }: StackAddresses & { pid: number } = JSON.parse(
    readFileSync(stackFile, 'utf8'),
  );
  return `: ${web ?? api} (process ${pid}${setup ? `, set-up at ${setup}` : ''})`;
};
