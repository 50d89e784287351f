import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOTS = [
  'apps',
  'deploy',
  'docs',
  'examples',
  'integrations',
  'packages',
  'prisma',
  'tooling',
  'tools',
];
const find = (pattern: string): string[] =>
  globSync(
    ['', '.github/', ...ROOTS.map((root) => `${root}/**/`)].map((folder) => folder + pattern),
    {
      exclude: ['**/node_modules/**', '**/dist/**'],
    },
  );
/** Changelogs tell of files as they were. */
const DOCUMENTS = find('*.md').filter((file) => !file.endsWith('CHANGELOG.md'));
const SOURCES = find('*.{ts,tsx,mjs}');
/** What commands make. */
const MADE = [
  'tooling/bench/results.json',
  'tooling/e2e/test-results/',
  'tooling/mutation/.sandbox',
  'tooling/mutation/reports/',
];

/** A path from the root, in prose and in samples, unless it goes on with `…`. */
const NAMED = new RegExp(String.raw`(?<![\w./@-])(?:${ROOTS.join('|')})/[\w./*{},-]*[\w*}/](?!-?[…\w])`, 'g');
/** A file's name in prose, perhaps with the folders around it. */
const SHORTENED = /`([\w./-]+\.(?:ts|tsx|mjs))`/g;
const LINKED = /\]\((?!https?:|mailto:|#)([^)\s#]+)(?:#[^)\s]*)?\)/g;

const exists = (path: string): boolean =>
  existsSync(path) ||
  MADE.includes(path) ||
  // A pattern, or a decision by its number.
  globSync([path, `${path}-*.md`]).length > 0;

describe.each(DOCUMENTS)('%s', (document) => {
  const text = readFileSync(document, 'utf8');
  const list = (pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([all, path = all]) => path);

  test('names and links only what exists', () => {
    const named = list(NAMED).filter((path) => !path.includes('NNN'));
    const linked = list(LINKED).map((path) => join(dirname(document), path));
    expect([...named, ...linked].filter((path) => !exists(path))).toEqual([]);
  });

  test('shortens only names of files that exist', () => {
    const isEnding = (name: string) => SOURCES.some((file) => `/${file}`.endsWith(`/${name}`));
    expect(list(SHORTENED).filter((name) => !isEnding(name))).toEqual([]);
  });
});

test('docs/ARCHITECTURE.md shows every workspace, and no folder that does not exist', () => {
  const text = readFileSync('docs/ARCHITECTURE.md', 'utf8');
  const [, tree = ''] = /^```\n(apps\/\n[\s\S]*?)^```/m.exec(text) ?? [];
  const parents: string[] = [];
  const folders = tree.split('\n').flatMap((line) => {
    const [, indent = '', names = ''] = /^( *)((?:[\w./-]+\/ ?)+)/.exec(line) ?? [];
    const depth = indent.length / 2;
    return names
      .trim()
      .split(' ')
      .filter((name) => name !== '')
      .map((name) => {
        parents[depth] = name;
        return parents.slice(0, depth + 1).join('');
      });
  });
  expect(folders.length).toBeGreaterThan(30);
  expect(folders.filter((folder) => !existsSync(folder))).toEqual([]);
  const workspaces = globSync('{apps,packages,tooling}/*/package.json').map((file) => `${dirname(file)}/`);
  expect(workspaces.filter((workspace) => !folders.includes(workspace))).toEqual([]);
});

test('docs/SECURITY.md has every chapter of ASVS 5.0', () => {
  const text = readFileSync('docs/SECURITY.md', 'utf8');
  const chapters = [...text.matchAll(/^### V(\d+) /gm)].map(([, number]) => Number(number));
  expect(chapters).toEqual(Array.from({ length: 17 }, (_, index) => index + 1));
});
