import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = 'apps/web/src';

/** The folder of a file of the web app; files at the top start the app and belong to none. */
const folderOf = (file: string): string | undefined => {
  const [folder, ...rest] = file.slice(SOURCES.length + 1).split('/');
  return rest.length > 0 ? folder : undefined;
};

const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );

const findFolderImports = (): Map<string, Set<string>> => {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync(`${SOURCES}/*/**/*.{ts,tsx}`, { exclude: ['**/*.test.*'] })) {
    const folder = folderOf(file) ?? '';
    const others = listImports(file).flatMap((path) => folderOf(path) ?? []);
    imports.set(
      folder,
      new Set([...(imports.get(folder) ?? []), ...others.filter((other) => other !== folder)]),
    );
  }
  return imports;
};

test('the folders of the web app do not import each other in a circle', () => {
  const open = findFolderImports();
  expect(open.size).toBeGreaterThan(10);
  // Folders that import none of those left are not part of a circle.
  for (let free = true; free; ) {
    const outermost = [...open].filter(([, others]) => ![...others].some((other) => open.has(other)));
    for (const [folder] of outermost) open.delete(folder);
    free = outermost.length > 0;
  }
  expect([...open.keys()]).toEqual([]);
});
