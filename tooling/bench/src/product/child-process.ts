import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';

const START_TIMEOUT_MS = 120_000;
const POLL_MS = 20;
const KEPT_OUTPUT = 4_000;
/** Ends a process together with the benchmark, however that ends. */
const GUARD = import.meta.resolve('@mailsweep/stack/child-guard');

/**
 * Starts a module as a process and waits until an address responds with 200.
 *
 * @throws when it does not, with the last that the process wrote
 */
export const startProcess = async (options: {
  module: string;
  arguments?: string[];
  env?: Record<string, string>;
  healthUrl: string;
}): Promise<{ close: () => Promise<void> }> => {
  const child = spawn(process.execPath, ['--import', GUARD, options.module, ...(options.arguments ?? [])], {
    env: options.env ?? {},
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit');
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-KEPT_OUTPUT);
    });
  }
  const deadlineMs = performance.now() + START_TIMEOUT_MS;
  const responses = () =>
    fetch(options.healthUrl).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await responses())) {
    if (child.exitCode !== null || performance.now() > deadlineMs) {
      child.kill('SIGKILL');
      throw new Error(`${options.module} did not start:\n${output}`);
    }
    await sleep(POLL_MS);
  }
  return {
    async close() {
      child.kill('SIGKILL');
      await exited;
    },
  };
};
