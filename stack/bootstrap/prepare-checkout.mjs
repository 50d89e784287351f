import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { exclusively } from './exclusive.mjs';
import { fingerprintOf, manifestsOf } from './fingerprint.mjs';
import { projectNode } from './project-node.mjs';
import { runStep, StepError } from './run-step.mjs';

/** What was done, by the fingerprint of what it was made from. */
const STAMP = 'node_modules/.mailsweep-install';
/** pnpm itself, as tools/pnpm/package-lock.json pins it. */
const PNPM = 'tools/pnpm/node_modules/pnpm/bin/pnpm.cjs';

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

/** The steps in their order. Each is done again when its product is missing or what it is made from has changed. */
const planSteps = ({ root, env, needs }) => {
  const install = fingerprintOf(root, manifestsOf(root));
  const node = projectNode(root);
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
      product: PNPM,
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
      product: relative(root, node),
      fingerprint: install,
      run: () =>
        runStep({
          title: 'Installing dependencies',
          command: process.execPath,
          words: [join(root, PNPM), 'install', '--frozen-lockfile'],
          cwd: root,
          // pnpm asks before it removes a folder of modules, unless nobody can answer.
          env: { ...env, CI: 'true' },
        }),
    },
    {
      name: 'client',
      product: 'prisma/generated/client.ts',
      fingerprint:
        install +
        fingerprintOf(root, ['prisma/schema.prisma', 'prisma/prisma.config.ts', 'prisma/generate.mjs']),
      run: runScript('Generating the database client', 'prisma', 'generate'),
    },
    {
      // The web app and its tests use it as it is published.
      name: 'api-client',
      product: 'packages/client/dist/index.js',
      fingerprint: install + fingerprintOf(root, ['packages/client', 'packages/contracts/src']),
      run: runScript('Building the client of the API', 'packages/client', 'build'),
    },
    {
      name: 'web',
      product: 'apps/web/dist/index.html',
      fingerprint: install + fingerprintOf(root, ['apps/web', 'packages/client', 'packages/contracts/src']),
      run: runScript('Building the web app', 'apps/web', 'build'),
    },
  ].filter(({ name }) => name === 'pnpm' || name === 'install' || needs.includes(name));
};

const isDone = (root, step) =>
  existsSync(join(root, step.product)) && readStamp(root)[step.name] === step.fingerprint;

/**
 * Makes a checkout ready to run. Costs next to nothing when it is.
 *
 * @param options.needs - what beside the dependencies has to be there: `client` of the database, `api-client`, `web`
 * @returns the path of the project's own Node
 * @throws {StepError} when a step fails, or there is no Node for this machine
 */
export const prepareCheckout = async ({ root, env, needs }) => {
  const steps = planSteps({ root, env, needs });
  if (!steps.every((step) => isDone(root, step))) {
    await exclusively(root, async () => {
      for (const step of steps.filter((candidate) => !isDone(root, candidate))) {
        await step.run();
        // pnpm leaves out an optional package that it can't get, or whose hash is wrong, and goes on.
        if (!existsSync(join(root, step.product))) {
          throw new StepError(`Could not install ${step.product} as the lockfile pins it.`);
        }
        mkdirSync(dirname(join(root, STAMP)), { recursive: true });
        const stamp = { ...readStamp(root), [step.name]: step.fingerprint };
        writeFileSync(join(root, STAMP), `${JSON.stringify(stamp, null, 2)}\n`);
      }
    });
  }
  return projectNode(root);
};
