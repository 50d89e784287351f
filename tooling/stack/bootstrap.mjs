// `node tooling/stack/bootstrap.mjs start|test|live-check|doctor|mailsweep [--npm=PID] [arguments]`: makes a fresh clone ready
// and hands over to the stack, the tests or the command line. Plain JavaScript without dependencies: it runs on any Node
// from 20 on, before anything is installed.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { handOver } from './bootstrap/hand-over.mjs';
import { prepareCheckout } from './bootstrap/prepare-checkout.mjs';
import { StepError } from './bootstrap/run-step.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const OLDEST_NODE = 20;
/** Scripts of package.json give it the shell's parent; a shell that knows no $PPID hands on those letters. */
const NPM_OPTION = '--npm=';
const COMMANDS = {
  start: 'tooling/stack/src/main.ts',
  test: 'tooling/stack/src/test-command.ts',
  'live-check': 'tooling/e2e/gmail/main.ts',
  doctor: 'tooling/stack/src/doctor.ts',
  mailsweep: 'packages/cli/src/main.ts',
};

const main = async () => {
  const [command = '', ...given] = process.argv.slice(2);
  const isNpm = (word) => word.startsWith(NPM_OPTION);
  const words = given.filter((word) => !isNpm(word));
  const module = COMMANDS[command];
  if (module === undefined)
    throw new StepError(`Usage: node tooling/stack/bootstrap.mjs ${Object.keys(COMMANDS).join('|')}`);
  if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
    throw new StepError(`Node ${OLDEST_NODE} or newer is needed; this is ${process.versions.node}.`);
  }
  const needsBuiltWeb = command === 'start' && !words.includes('--dev');
  const node = await prepareCheckout({
    root: ROOT,
    env: process.env,
    tests: command === 'test' || command === 'live-check',
    // Tests build what they need, as tasks of turbo.
    needs: command === 'test' ? [] : ['client', 'api-client', ...(needsBuiltWeb ? ['web'] : [])],
  });
  // The compile cache saves memory and time at every start but the first; it makes coverage less exact.
  const cache =
    command === 'start' ? { NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/node-compile') } : {};
  handOver({
    node,
    words: ['--max-semi-space-size=2', join(ROOT, module), ...words],
    cwd: ROOT,
    env: { ...cache, ...process.env },
    npm: Number(given.find(isNpm)?.slice(NPM_OPTION.length)),
  });
};

main().catch((error) => {
  process.stderr.write(`${error instanceof StepError ? error.message : error.stack}\n`);
  process.exit(1);
});
