import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { onNpmEnd } from './npm-watch.mjs';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs Node with these arguments until it ends; its end is ours. */
export const handOver = ({ node, words, cwd, env }) => {
  const child = spawn(node, words, {
    cwd,
    env,
    // Over the channel the child notices our end, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (env.npm_lifecycle_event !== undefined) onNpmEnd(() => child.kill('SIGTERM'));
};
