/** Longest orderly end after the stack has ended, in milliseconds. */
const EXIT_DEADLINE_MS = 8_000;

/**
 * Preloaded into every process of the stack. Standard input is a pipe that the stack holds open and never writes
 * to: when it ends, the stack has ended, even by kill -9, and this process must not outlive it.
 */
const endWithStack = (): void => {
  // Only Node's watch mode has a channel to us. It would wait for a change: it ends, and this process with it.
  process.kill(process.connected ? process.ppid : process.pid, 'SIGTERM');
  setTimeout(() => process.exit(1), EXIT_DEADLINE_MS).unref();
};

process.stdin.once('close', endWithStack);
process.stdin.resume();
// The pipe alone must not keep the process alive.
if ('unref' in process.stdin) process.stdin.unref();
