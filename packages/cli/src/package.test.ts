import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** All that is installed beside it. */
const DEPENDENCIES = [
  '@mailsweep/client',
  '@modelcontextprotocol/server',
  'commander',
  'jsonwebtoken',
  'open',
  'zod',
];
const PACKAGE = join(import.meta.dirname, '..');

let folder = '';
let installed = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-package-'));
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE });
  const [tarball = ''] = readdirSync(folder);
  execFileSync(join(PACKAGE, '../../node_modules/.bin/publint'), ['--strict', tarball], { cwd: folder });
  // As a registry would install it, with the packages it depends on beside it.
  const modules = join(folder, 'node_modules');
  installed = join(modules, 'mailsweep');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'], { cwd: folder });
  for (const name of DEPENDENCIES) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(join(PACKAGE, 'node_modules', name), join(modules, name), 'junction');
  }
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package, as it is published', () => {
  it('is a program that runs', () => {
    const main = join(installed, 'dist/main.js');
    expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [main, ...args], {
        encoding: 'utf8',
        env: { XDG_CONFIG_HOME: join(folder, 'settings') },
      });
    const { version } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(run('--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(run('ml', 'evaluate', 'http://127.0.0.1:9')).toMatchObject({ status: 2 });
    expect(run('whoami')).toMatchObject({
      status: 3,
      stdout: '',
      stderr: expect.stringContaining('Not signed in'),
    });
  });

  it('depends on the client, the parser of arguments, the signer of tokens, the opener of browsers and the protocol of assistants alone', () => {
    const { dependencies } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>;
    };
    expect(Object.keys(dependencies).toSorted()).toEqual(DEPENDENCIES);
    for (const version of Object.values(dependencies)) expect(version).toMatch(/^[\d.]+$/);
  });
});
