import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readInherited } from '@mailsweep/service-kit/testing';

/** Whether git can show the files of a commit: not in a shallow clone, nor without git. */
export const hasCommit = (commit: string): boolean => {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{tree}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/**
 * Makes the sources of an earlier commit runnable, with the packages of the registry that are installed now: their
 * versions are not those of then.
 */
export const checkOutEarlier = (commit: string): { root: string; remove(): void } => {
  const root = mkdtempSync(join(tmpdir(), 'mailsweep-earlier-'));
  const archive = join(root, 'archive.tar');
  execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  execFileSync('tar', ['-xf', archive, '-C', root]);
  symlinkSync(join(process.cwd(), 'node_modules'), join(root, 'node_modules'));
  // Their links are relative, so that the workspace's own packages are found in the copy.
  for (const modules of globSync('{apps,packages}/*/node_modules').concat('prisma/node_modules')) {
    if (!existsSync(join(root, modules, '..'))) continue;
    cpSync(modules, join(root, modules), { recursive: true, verbatimSymlinks: true });
  }
  const build = (folder: string, words: string[]) =>
    execFileSync(process.execPath, words, { cwd: join(root, folder), env: readInherited(), stdio: 'ignore' });
  build('prisma', ['generate.mjs']);
  build('packages/client', ['node_modules/rolldown/bin/cli.mjs', '-c']);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
};
