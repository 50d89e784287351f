import { basename } from 'node:path';

/** A module of a workspace, and the workspace's folder. */
const MODULE = /^((?:apps|packages|tooling)\/[^/]+|prisma)\/(?:src|server|scripts)\/.*\.tsx?$/;
/** What none of these tests reads. */
const ELSEWHERE = /^tooling\/(?:e2e|bench|mutation)\//;
const TEST = /\.test\.tsx?$/;
/** Tests of the repository, which are quick. */
const REPOSITORY = /^(?:deploy|docs|tools)\/|^packages\/[^/]+$/;

/**
 * Chooses what to hand to `vitest related` after a change: the changed modules, whose importers vitest finds, and all
 * tests of their workspaces, for some start a module as a process. A changed document concerns the tests that name it.
 *
 * @param changed - paths of changed, added and deleted files, from the root
 * @param options.files - all files of the repository
 * @param options.read - reads one of them
 * @returns null where a file changed that any test may depend on: all have to run
 */
export const selectTests = (
  changed: readonly string[],
  { files, read }: { files: readonly string[]; read: (file: string) => string },
): string[] | null => {
  const tests = files.filter((file) => TEST.test(file) && !ELSEWHERE.test(file));
  const selected = new Set(tests.filter((file) => REPOSITORY.test(file)));
  for (const file of changed) {
    if (ELSEWHERE.test(file)) continue;
    const workspace = MODULE.exec(file)?.[1];
    if (workspace !== undefined) {
      if (files.includes(file)) selected.add(file);
      for (const test of tests) if (test.startsWith(`${workspace}/`)) selected.add(test);
    } else if (file.endsWith('.md')) {
      for (const test of tests) if (read(test).includes(basename(file))) selected.add(test);
    } else if (!tests.includes(file)) return null;
  }
  return [...selected].toSorted();
};
