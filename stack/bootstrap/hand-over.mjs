import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { onNpmEnd } from './npm-watch.mjs';

const END_WITH_NPM = new URL('./end-with-npm.mjs', import.meta.url).href;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs Node in a process of its own until it ends; its end is ours. */
const runBeside = ({ node, words, cwd, env, hasNpm }) => {
  const child = spawn(node, words, {
    cwd,
    env,
    // Over the channel the child notices our end, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (hasNpm) onNpmEnd(() => child.kill('SIGTERM'));
};

/** Runs Node with these arguments in place of this process, which would hold some 60 MB only to wait. */
export const handOver = ({ node, words, cwd, env }) => {
  const hasNpm = env.npm_lifecycle_event !== undefined;
  // Missing before Node 22.15 and on Windows.
  if (process.execve === undefined || process.platform === 'win32') {
    runBeside({ node, words, cwd, env, hasNpm });
    return;
  }
  process.chdir(cwd);
  process.execve(node, [node, ...(hasNpm ? ['--import', END_WITH_NPM] : []), ...words], env);
};
