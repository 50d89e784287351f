import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import vitestConfig from '../vitest.config.ts';

describe('docs/PROMISES.md', () => {
  const NUMBER = /\bR\d\d\b/g;
  /** A string with a promise's number, as the titles of tests are. */
  const TITLE = /\(\s*(['`])(?:(?!\1)[^\n])*\bR\d\d\b(?:(?!\1)[^\n])*\1/g;
  const rows = [...readFileSync('docs/PROMISES.md', 'utf8').matchAll(/^- \*\*(.+?)\*\* [^`]*: (`.*)$/gm)].map(
    ([, promise = '', where = '']) => ({
      promise,
      files: [...where.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
    }),
  );
  const listNumbers = (file: string): Set<string> =>
    new Set([...readFileSync(file, 'utf8').matchAll(TITLE)].flatMap(([title]) => title.match(NUMBER) ?? []));

  test('names each promise once', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map(({ promise }) => promise)).size).toBe(rows.length);
  });

  test.each(rows)('$promise is proved where the list says', ({ promise, files }) => {
    expect(files).not.toEqual([]);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
    const isNumber = promise.match(NUMBER) !== null;
    const proves = (file: string) =>
      isNumber ? listNumbers(file).has(promise) : readFileSync(file, 'utf8').includes(promise);
    expect(files.filter((file) => !proves(file))).toEqual([]);
    expect(files.filter((file) => !RUN.has(file))).toEqual([]);
  });

  test('lists every test whose title names a promise', () => {
    const listed = new Map(rows.map(({ promise, files }) => [promise, files]));
    const files = globSync('{apps,packages,prisma,tooling}/**/*.test.ts', {
      exclude: ['**/node_modules/**', '**/dist/**'],
    });
    const missing = files.flatMap((file) =>
      [...listNumbers(file)]
        .filter((number) => !listed.get(number)?.includes(file))
        .map((number) => `${number}: ${file}`),
    );
    expect(missing).toEqual([]);
  });
});

/** The test files that some project of vitest runs. */
const RUN = new Set(
  (vitestConfig.test?.projects ?? []).flatMap((project) => {
    if (typeof project !== 'object' || !('test' in project)) return [];
    const { include = [], exclude = [] } = project.test ?? {};
    return globSync(include, { exclude });
  }),
);
