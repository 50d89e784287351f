import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { PartLog } from './part-log.ts';

/** One user needs no large nursery: half the memory of a part at rest would be garbage. As in bootstrap.mjs; the compile cache has entries for each set of flags. */
const NODE_FLAGS = ['--max-semi-space-size=2'];
const GUARD = new URL('./child-guard.ts', import.meta.url).href;

/** How to run a part: a module, on the Node that runs the stack. */
export interface PartCommand {
  module: string | URL;
  arguments?: readonly string[];
  cwd?: string;
  env: Record<string, string>;
  /** Whether Node starts it again when a module of it changes; after a crash it waits for such a change. */
  isWatched?: boolean;
}

export interface PartProcess {
  /** Undefined for a part without a process of its own. */
  pid: number | undefined;
  exited: Promise<PartExit>;
  terminate(): void;
  /** Ends it, and whatever it started in its process group, at once. */
  kill(): void;
}

/** How a process ended, in words. */
export type PartExit = string;

/** Starts a part's process. It ends with us, however we end. */
export const spawnPart = (command: PartCommand, log: PartLog): PartProcess => {
  const { module, arguments: words = [], cwd, env, isWatched = false } = command;
  const path = typeof module === 'string' ? module : fileURLToPath(module);
  const flags = isWatched ? [...NODE_FLAGS, '--watch', '--watch-preserve-output'] : NODE_FLAGS;
  const child = spawn(process.execPath, [...flags, '--import', GUARD, path, ...words], {
    cwd,
    env,
    stdio: ['pipe', log.descriptor, log.descriptor],
    // A process group of its own: Ctrl-C in the terminal reaches us alone, and we end parts in their order.
    detached: true,
  });
  // A part may end while its pipe is still open on our side.
  child.stdin?.on('error', () => child.stdin?.destroy());
  const failedToStart = once(child, 'error').then(([error]) => `could not be started: ${error.message}`);
  const ended = once(child, 'exit').then(([code, signal]) =>
    signal === null ? `ended with code ${code}` : `was ended by ${signal}`,
  );
  return {
    pid: child.pid,
    exited: Promise.race([ended, failedToStart]),
    terminate: () => void child.kill('SIGTERM'),
    kill: () => killGroup(child.pid),
  };
};

const killGroup = (pid: number | undefined): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch (error) {
    // The group has ended.
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};
