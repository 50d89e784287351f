import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const SOURCES = 'apps/web/src';

/** The folder of a file of the web app; files at the top start the app and belong to none. */
const folderOf = (file: string): string | undefined => subfolderOf(file)?.split('/')[0];

/** The whole path of folders to a file: `inbox/list`. */
const subfolderOf = (file: string): string | undefined => {
  const path = dirname(file.slice(SOURCES.length + 1));
  return path === '.' ? undefined : path;
};

const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );

const findImports = (placeOf: typeof subfolderOf): Map<string, Set<string>> => {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync(`${SOURCES}/*/**/*.{ts,tsx}`, { exclude: ['**/*.test.*'] })) {
    const place = placeOf(file) ?? '';
    const others = listImports(file).flatMap((path) => placeOf(path) ?? []);
    imports.set(
      place,
      new Set([...(imports.get(place) ?? []), ...others.filter((other) => other !== place)]),
    );
  }
  return imports;
};

test.each([
  { places: 'folders', placeOf: folderOf },
  { places: 'subfolders', placeOf: subfolderOf },
])('the $places of the web app do not import each other in a circle', ({ placeOf }) => {
  const open = findImports(placeOf);
  expect(open.size).toBeGreaterThan(10);
  // Places that import none of those left are not part of a circle.
  for (let free = true; free; ) {
    const outermost = [...open].filter(([, others]) => ![...others].some((other) => open.has(other)));
    for (const [place] of outermost) open.delete(place);
    free = outermost.length > 0;
  }
  expect([...open.keys()]).toEqual([]);
});
