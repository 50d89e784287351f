// `node stack/bootstrap.mjs start|test|live-check [arguments]`: makes a fresh clone ready (dependencies, generated code, the
// built web app) and hands over to the stack or the tests. Plain JavaScript without dependencies: it runs on any
// Node from 20 on, before anything is installed.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onNpmEnd } from './bootstrap/npm-watch.mjs';
import { prepareCheckout } from './bootstrap/prepare-checkout.mjs';
import { StepError } from './bootstrap/run-step.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const OLDEST_NODE = 20;
const COMMANDS = {
  start: 'stack/src/main.ts',
  test: 'stack/src/test-command.ts',
  'live-check': 'stack/src/live-check/main.ts',
};
/** One user needs no large nursery: a fifth of the stack's own memory would be garbage. Megabytes. */
const SEMI_SPACE_MB = 2;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Runs a module on the project's own Node until it ends; its end is ours.
 *
 * @param keepsCode - whether compiled code is kept: starts take less memory and time, but coverage is less exact
 */
const handOver = ({ node, module, words, keepsCode }) => {
  const cache = { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') };
  const child = spawn(node, [`--max-semi-space-size=${SEMI_SPACE_MB}`, join(ROOT, module), ...words], {
    cwd: ROOT,
    env: keepsCode ? { ...cache, ...process.env } : process.env,
    // Over the channel the child notices our end, however it comes.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of SIGNALS) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
  if (process.env.npm_lifecycle_event !== undefined) onNpmEnd(() => child.kill('SIGTERM'));
};

const main = async () => {
  const [command = '', ...words] = process.argv.slice(2);
  const module = COMMANDS[command];
  if (module === undefined)
    throw new StepError(`Usage: node stack/bootstrap.mjs ${Object.keys(COMMANDS).join('|')}`);
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new StepError(`Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}.`);
  }
  const node = await prepareCheckout({
    root: ROOT,
    env: process.env,
    needsBuiltWeb: command !== 'live-check' && !words.includes('--dev'),
  });
  handOver({ node, module, words, keepsCode: command === 'start' });
};

main().catch((error) => {
  process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
  process.exit(1);
});
