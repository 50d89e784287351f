// Runs the unit, component, web and repository tests as one run of vitest. Where an earlier run has passed, only those
// that the files changed since then concern; all with TEST_ALL, and in CI.
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { REPOSITORY } from '../repository.ts';
import { selectTests } from './select-tests.ts';

/** Names the tree of files with which the last run passed. */
const PASSED = join(REPOSITORY, 'node_modules/.cache/tests/passed');
const PROJECTS = ['unit', 'component', 'web', 'repository'].flatMap((name) => ['--project', name]);

const { env } = process;

const git = (words: string[], variables: NodeJS.ProcessEnv = {}): string =>
  execFileSync('git', words, {
    cwd: REPOSITORY,
    env: { ...env, ...variables },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });

const linesOf = (text: string): string[] => text.split('\0').filter(Boolean);

/** Stores all files that git does not ignore as a tree, in an index of its own; null where there is no git. */
const storeTree = (): string | null => {
  const index = join(REPOSITORY, 'node_modules/.cache/tests/index');
  const own = { GIT_INDEX_FILE: index };
  try {
    mkdirSync(dirname(index), { recursive: true });
    // The files that git knows need not be read again.
    copyFileSync(join(REPOSITORY, git(['rev-parse', '--git-path', 'index']).trim()), index);
    git(['add', '--all'], own);
    return git(['write-tree'], own).trim();
  } catch {
    // Not a clone, or a git too old: all tests run.
    return null;
  } finally {
    rmSync(index, { force: true });
  }
};

/** The files to hand to `vitest related`; null to run all. */
const chooseTests = (tree: string | null): string[] | null => {
  if (tree === null || !existsSync(PASSED) || env.CI || env.TEST_ALL) return null;
  try {
    const changed = linesOf(git(['diff', '--name-only', '-z', readFileSync(PASSED, 'utf8'), tree]));
    return selectTests(changed, {
      files: linesOf(git(['ls-tree', '-r', '-z', '--name-only', tree])),
      read: (file) => readFileSync(join(REPOSITORY, file), 'utf8'),
    });
  } catch {
    // git has deleted the tree since.
    return null;
  }
};

const tree = storeTree();
const chosen = chooseTests(tree);
const words = chosen === null ? ['run'] : ['related', '--run', ...chosen];
const { status } = spawnSync('vitest', [...words, ...PROJECTS], { cwd: REPOSITORY, stdio: 'inherit' });
if (status === 0 && tree !== null) writeFileSync(PASSED, tree);
process.exit(status ?? 1);
