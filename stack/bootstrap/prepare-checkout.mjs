import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { exclusively } from './exclusive.mjs';
import { fingerprintOf, manifestsOf } from './fingerprint.mjs';
import { runStep, StepError } from './run-step.mjs';

/** What was done, by the fingerprint of what it was made from. */
const STAMP = 'node_modules/.mailsweep-install';
const NODE = process.platform === 'win32' ? 'node_modules/node/bin/node.exe' : 'node_modules/node/bin/node';

const readStamp = (root) => {
  try {
    return JSON.parse(readFileSync(join(root, STAMP), 'utf8'));
  } catch {
    // None yet, or not ours: then everything is done anew.
    return {};
  }
};

/**
 * The tools that install everything else, in the versions that stand in package.json and in the catalog. pnpm runs on
 * the project's own Node: on an older one it leaves out optional packages that this one needs.
 */
const readToolPackages = (root) => {
  const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const node = /^ {2}node: (.+)$/m.exec(readFileSync(join(root, 'pnpm-workspace.yaml'), 'utf8'))?.[1];
  if (node === undefined) throw new StepError('The catalog in pnpm-workspace.yaml names no version of node.');
  return [`--package=node@${node}`, `--package=${packageManager}`];
};

const hasScript = (root, folder, script) => {
  const manifest = join(root, folder, 'package.json');
  return existsSync(manifest) && script in (JSON.parse(readFileSync(manifest, 'utf8')).scripts ?? {});
};

/** The steps in their order. Each is done again when its product is missing or what it is made from has changed. */
const planSteps = ({ root, env, needsBuiltWeb }) => {
  const install = fingerprintOf(root, manifestsOf(root));
  const node = join(root, NODE);
  // Scripts of packages look for node on the path.
  const scriptEnv = { ...env, PATH: [join(root, 'node_modules/.bin'), env.PATH].join(delimiter) };
  const runScript = (title, folder, script) => () =>
    runStep({ title, command: node, words: ['--run', script], cwd: join(root, folder), env: scriptEnv });
  const steps = [
    {
      name: 'install',
      product: NODE,
      fingerprint: install,
      run: () =>
        runStep({
          title: 'Installing dependencies',
          command: process.platform === 'win32' ? 'npx.cmd' : 'npx',
          words: ['--yes', ...readToolPackages(root), '--', 'pnpm', 'install', '--frozen-lockfile'],
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
  ];
  if (needsBuiltWeb && hasScript(root, 'apps/web', 'build')) {
    steps.push({
      name: 'web',
      product: 'apps/web/dist/index.html',
      fingerprint: install + fingerprintOf(root, ['apps/web', 'packages/contracts/src']),
      run: runScript('Building the web app', 'apps/web', 'build'),
    });
  }
  return steps;
};

const isDone = (root, step) =>
  existsSync(join(root, step.product)) && readStamp(root)[step.name] === step.fingerprint;

/**
 * Makes a checkout ready to run. Costs next to nothing when it is.
 *
 * @returns the path of the project's own Node
 * @throws {StepError} when a step fails
 */
export const prepareCheckout = async ({ root, env, needsBuiltWeb }) => {
  const steps = planSteps({ root, env, needsBuiltWeb });
  if (!steps.every((step) => isDone(root, step))) {
    await exclusively(root, async () => {
      for (const step of steps.filter((candidate) => !isDone(root, candidate))) {
        await step.run();
        const stamp = { ...readStamp(root), [step.name]: step.fingerprint };
        writeFileSync(join(root, STAMP), `${JSON.stringify(stamp, null, 2)}\n`);
      }
    });
  }
  return join(root, NODE);
};
