// `node stack/bootstrap/compile-programs.mjs <folder>`: fills Node's compile cache with all programs of the stack. A process that has to compile TypeScript itself loads a compiler, which it never gives back: 25 MB.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { NODE_FLAGS } from './compile-cache.mjs';

const PROGRAMS = ['stack', 'apps/api', 'apps/worker', 'apps/ml'].map((folder) => `${folder}/src/main.ts`);
const GUARD = new URL('../src/supervision/child-guard.ts', import.meta.url).href;
const TIMEOUT_MS = 60_000;

/** Runs a program until it is loaded: it then ends, for it has no configuration, and the stack refuses the argument. */
const load = async (program) => {
  const child = spawn(process.execPath, [...NODE_FLAGS, '--import', GUARD, program, '--load-only'], {
    env: { NODE_COMPILE_CACHE: process.argv[2] },
    stdio: ['pipe', 'ignore', 'ignore'],
    timeout: TIMEOUT_MS,
  });
  await once(child, 'exit');
};

await Promise.all(PROGRAMS.map(load));
