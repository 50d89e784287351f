import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rollbackMigration } from '@mailsweep/database/migrate';

/** The release before this one: a commit, until there is a tag. Migrations have been added since. */
export const PREVIOUS_RELEASE = '595badbf';

/** With all of our environment: where packages come from may be said there. */
const run = promisify(execFile);

/** Whether git can show the files of a commit: not in a shallow clone, nor without git. */
export const hasCommit = (commit: string): boolean => {
  try {
    execFileSync('git', ['cat-file', '-e', `${commit}^{tree}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** How long packages may take to arrive. */
const INSTALL_LIMIT_MS = 240_000;

/**
 * Makes the sources of an earlier commit runnable, with the packages of then, those of the workspace among them.
 *
 * @throws Error if one of the steps fails or takes too long
 */
export const checkOutEarlier = async (commit: string) => {
  const root = mkdtempSync(join(tmpdir(), 'mailsweep-earlier-'));
  const archive = join(root, 'archive.tar');
  await run('git', ['archive', '--format=tar', `--output=${archive}`, commit]);
  await run('tar', ['-xf', archive, '-C', root]);
  const runNode = (folder: string, words: string[]) =>
    run(process.execPath, words, { cwd: join(root, folder), timeout: INSTALL_LIMIT_MS });
  // From the store, as a rule: most packages are those that are installed now.
  const pnpm = join(process.cwd(), 'tools/pnpm/node_modules/pnpm/bin/pnpm.cjs');
  await runNode('.', [pnpm, 'install', '--frozen-lockfile', '--prefer-offline', '--ignore-scripts']);
  await runNode('prisma', ['generate.mjs']);
  await runNode('packages/client', ['node_modules/rolldown/bin/cli.mjs', '-c']);
  const known = new Set(listMigrations(root));
  const newerMigrations = listMigrations('.').filter((name) => !known.has(name));
  return {
    root,
    /** The names of migrations that have been added since, oldest first. */
    newerMigrations,
    /** Takes a database that has all migrations of today back to those of then. */
    async rollBack(databaseUrl: string) {
      for (const name of newerMigrations.toReversed()) {
        const undone = await rollbackMigration({ databaseUrl });
        if (undone !== name) throw new Error(`${undone} was taken back instead of ${name}`);
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
};

/** The names of the migrations in a checkout, oldest first. */
const listMigrations = (root: string): string[] =>
  readdirSync(join(root, 'prisma/migrations'))
    .toSorted()
    .flatMap((file) => /^\d+\.do\.(\w+)\.sql$/.exec(file)?.[1] ?? []);
