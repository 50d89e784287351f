import { spawn } from 'node:child_process';
import { constants } from 'node:os';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const POLL_MS = 500;

export const isRunning = (pid) => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it runs as another user.
    return error.code === 'EPERM';
  }
};

/**
 * Runs Node with these arguments until it ends; its end is ours.
 *
 * @param options.npm - the process of the npm that runs us: a signal to npm may end it alone, and kill -9 reaches nobody
 *   else. Not above 1 when there is none.
 */
export const handOver = ({ node, words, cwd, env, npm }) => {
  const child = spawn(node, words, {
    cwd,
    env,
    // Over the channel the child notices our end, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (npm > 1) {
    setInterval(() => {
      if (!isRunning(npm)) child.kill('SIGTERM');
    }, POLL_MS).unref();
  }
};
