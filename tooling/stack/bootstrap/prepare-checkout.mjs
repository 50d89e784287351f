import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isRunning } from './hand-over.mjs';
import { projectNode } from './project-node.mjs';
import { runStep, StepError } from './run-step.mjs';

/** What was done, by the fingerprint of what it was made from. */
const STAMP = 'node_modules/.mailsweep-install';
/** pnpm itself, as tools/pnpm/package-lock.json pins it. */
const PNPM = 'tools/pnpm/node_modules/pnpm/bin/pnpm.cjs';
/** What linters and tests need, and running does not: half of all packages. */
const ONLY_TESTED = ['@mailsweep/checks', '@mailsweep/e2e'];
/** One of them: where it is, all were installed. */
const TEST_RUNNER = 'node_modules/vitest/package.json';
const SKIPPED_FOLDERS = ['node_modules', 'dist', 'generated', 'coverage', '.turbo', 'test-results'];
const LOCK_POLL_MS = 250;

/** All files below a path, or the path itself where it is a file, in a fixed order. */
const filesBelow = (path) => {
  if (!existsSync(path)) return [];
  if (statSync(path).isFile()) return [path];
  return readdirSync(path)
    .filter((name) => !SKIPPED_FOLDERS.includes(name))
    .sort()
    .flatMap((name) => filesBelow(join(path, name)));
};

/** Changes when the content of any of these files and folders does. */
const fingerprintOf = (root, paths) => {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of paths.flatMap((path) => filesBelow(join(root, path)))) {
    hash.update(`\n${file.slice(root.length)}\n`).update(readFileSync(file));
  }
  return hash.digest('hex');
};

const readStamp = (root) => {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    // None yet, or not ours: then everything is done again.
    return {};
  }
};

/** npm fails where it cannot write its cache, as in a home that is read-only; then the checkout has one. */
const withWritableCache = (root, env) => {
  const cache = env.npm_config_cache ?? join(env.HOME ?? homedir(), '.npm');
  try {
    mkdirSync(cache, { recursive: true });
    accessSync(cache, constants.W_OK);
    return env;
  } catch {
    return { ...env, npm_config_cache: join(root, 'node_modules/.cache/npm') };
  }
};

/** The steps in their order. Each is done again when a product is missing or what it is made from has changed. */
const planSteps = ({ root, env, tests, needs }) => {
  // It has what all manifests ask for.
  const install = fingerprintOf(root, ['pnpm-lock.yaml', 'pnpm-workspace.yaml']);
  const node = projectNode(root);
  // Who installed the programs of the tests keeps them.
  const isWhole = tests || existsSync(join(root, TEST_RUNNER));
  // Scripts of packages look for node on the path.
  const scriptEnv = {
    ...env,
    PATH: [join(root, 'node_modules/.bin'), dirname(node), env.PATH].join(delimiter),
  };
  const runScript = (title, folder, script) => () =>
    runStep({ title, command: node, words: ['--run', script], cwd: join(root, folder), env: scriptEnv });
  return [
    {
      name: 'pnpm',
      products: [PNPM],
      fingerprint: fingerprintOf(root, ['tools/pnpm']),
      run: () =>
        runStep({
          title: 'Installing pnpm',
          command: process.platform === 'win32' ? 'npm.cmd' : 'npm',
          // Refuses a package whose hash differs from the lockfile's.
          words: ['ci'],
          cwd: join(root, 'tools/pnpm'),
          env: withWritableCache(root, env),
        }),
    },
    {
      name: 'install',
      products: [relative(root, node), ...(isWhole ? [TEST_RUNNER] : [])],
      fingerprint: install,
      run: () =>
        runStep({
          title: 'Installing dependencies',
          command: process.execPath,
          words: [
            ...[join(root, PNPM), 'install', '--frozen-lockfile'],
            ...(isWhole ? [] : ONLY_TESTED.map((name) => `--filter=!${name}`)),
          ],
          cwd: root,
          // pnpm asks before it removes a folder of modules, unless nobody can answer.
          env: { ...env, CI: 'true' },
        }),
    },
    {
      name: 'client',
      products: ['prisma/generated/client.ts'],
      fingerprint:
        install +
        fingerprintOf(root, ['prisma/schema.prisma', 'prisma/generate.mjs', 'prisma/no-config.mjs']),
      run: runScript('Generating the database client', 'prisma', 'generate'),
    },
    {
      // The web app and its tests use it as it is published.
      name: 'api-client',
      products: ['packages/client/dist/index.js'],
      fingerprint: install + fingerprintOf(root, ['packages/client', 'packages/contracts/src']),
      run: runScript('Building the client of the API', 'packages/client', 'build'),
    },
    {
      name: 'web',
      products: ['apps/web/dist/index.html'],
      fingerprint: install + fingerprintOf(root, ['apps/web', 'packages/client', 'packages/contracts/src']),
      run: runScript('Building the web app', 'apps/web', 'build'),
    },
  ].filter(({ name }) => name === 'pnpm' || name === 'install' || needs.includes(name));
};

const isDone = (root, { name, products, fingerprint }) =>
  products.every((product) => existsSync(join(root, product))) && readStamp(root)[name] === fingerprint;

const carryOut = async (root, { name, products, fingerprint, run }) => {
  await run();
  // pnpm leaves out an optional package that it can't get, or whose hash is wrong, and goes on.
  const missing = products.find((product) => !existsSync(join(root, product)));
  if (missing !== undefined) throw new StepError(`Could not install ${missing} as the lockfile pins it.`);
  mkdirSync(dirname(join(root, STAMP)), { recursive: true });
  writeFileSync(
    join(root, STAMP),
    `${JSON.stringify({ ...readStamp(root), [name]: fingerprint }, null, 2)}\n`,
  );
};

const readHolder = (file) => {
  try {
    return Number(readFileSync(file, 'utf8'));
  } catch {
    // Given back at this moment.
    return 0;
  }
};

/** Does some work on a checkout while no other bootstrap works on the same one. */
const exclusively = async (root, work) => {
  const name = createHash('sha256').update(root).digest('hex').slice(0, 16);
  const file = join(tmpdir(), `mailsweep-bootstrap-${name}.lock`);
  for (;;) {
    try {
      writeFileSync(file, String(process.pid), { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
    }
    const holder = readHolder(file);
    if (holder > 0 && !isRunning(holder)) rmSync(file, { force: true });
    else await delay(LOCK_POLL_MS);
  }
  const giveBack = () => rmSync(file, { force: true });
  process.once('exit', giveBack);
  try {
    return await work();
  } finally {
    giveBack();
    process.off('exit', giveBack);
  }
};

/**
 * Makes a checkout ready to run. Costs next to nothing when it is.
 *
 * @param options.tests - whether it has to be ready for linters and tests, too
 * @param options.needs - what has to be built: `client` of the database, `api-client`, `web`
 * @returns the path of the project's own Node
 * @throws {StepError} when a step fails, or there is no Node for this machine
 */
export const prepareCheckout = async ({ root, env, tests, needs }) => {
  const steps = planSteps({ root, env, tests, needs });
  if (!steps.every((step) => isDone(root, step))) {
    await exclusively(root, async () => {
      for (const step of steps) if (!isDone(root, step)) await carryOut(root, step);
    });
  }
  return projectNode(root);
};
