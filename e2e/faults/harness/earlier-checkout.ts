import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
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

/** Makes the sources of an earlier commit runnable, with the packages of then, those of the workspace among them. */
export const checkOutEarlier = (commit: string): { root: string; remove(): void } => {
  const root = mkdtempSync(join(tmpdir(), 'mailsweep-earlier-'));
  const archive = join(root, 'archive.tar');
  execFileSync('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  execFileSync('tar', ['-xf', archive, '-C', root]);
  // From the store, as a rule: most packages are those that are installed now.
  const pnpm = join(process.cwd(), 'tools/pnpm/node_modules/pnpm/bin/pnpm.cjs');
  const install = [pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts'];
  execFileSync(process.execPath, install, { cwd: root, env: readInherited(), stdio: 'ignore' });
  const build = (folder: string, words: string[]) =>
    execFileSync(process.execPath, words, { cwd: join(root, folder), env: readInherited(), stdio: 'ignore' });
  build('prisma', ['generate.mjs']);
  build('packages/client', ['node_modules/rolldown/bin/cli.mjs', '-c']);
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
};
