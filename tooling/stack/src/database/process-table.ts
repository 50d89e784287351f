import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
};

/** The command line of a running process; null when there is none. Ids are reused, so compare both. */
export const commandLineOf = (pid: number): string | null => {
  if (!isRunning(pid)) return null;
  if (existsSync('/proc/self/cmdline')) {
    const path = `/proc/${pid}/cmdline`;
    return existsSync(path) ? readFileSync(path, 'utf8').replaceAll('\0', ' ') : null;
  }
  return spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' }).stdout || null;
};
