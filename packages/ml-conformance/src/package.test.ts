import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'ml-conformance-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('as it is published, is a program that needs one package beside it', () => {
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE });
  const [tarball = ''] = readdirSync(folder);
  execFileSync(join(PACKAGE, '../../node_modules/.bin/publint'), ['--strict', tarball], { cwd: folder });
  const installed = join(folder, 'node_modules/@mailsweep/ml-conformance');
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', installed, '--strip-components', '1'], { cwd: folder });
  symlinkSync(join(PACKAGE, 'node_modules/jsonwebtoken'), join(folder, 'node_modules/jsonwebtoken'));

  const { dependencies, version } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
    version: string;
  };
  expect(Object.keys(dependencies)).toEqual(['jsonwebtoken']);
  const main = join(installed, 'dist/main.js');
  expect(readFileSync(main, 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/);
  const run = (word: string) => spawnSync(process.execPath, [main, word], { encoding: 'utf8' });
  expect(run('--version')).toMatchObject({ status: 0, stderr: '', stdout: `${version}\n` });
  expect(run('--help')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringContaining('Usage: ml-conformance URL'),
  });
});
