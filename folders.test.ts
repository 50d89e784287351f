import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { expect, test } from 'vitest';

/** The folder of a file below the sources; a file at the top stands for itself. */
const folderOf = (path: string): string => path.split('/')[0] ?? path;

/** The whole path of folders to a file: `inbox/list`. */
const subfolderOf = (path: string): string => (path.includes('/') ? dirname(path) : path);

const listImports = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(([, path = '']) =>
    join(dirname(file), path),
  );

const findImports = (sources: string, placeOf: typeof folderOf): Map<string, Set<string>> => {
  const imports = new Map<string, Set<string>>();
  for (const file of globSync(`${sources}/**/*.{ts,tsx}`, { exclude: ['**/*.test.*'] })) {
    const place = placeOf(relative(sources, file));
    const others = listImports(file).map((path) => placeOf(relative(sources, path)));
    imports.set(
      place,
      new Set([...(imports.get(place) ?? []), ...others.filter((other) => other !== place)]),
    );
  }
  return imports;
};

test.each([
  { places: 'subfolders', sources: 'apps/web/src', placeOf: subfolderOf },
  ...globSync(['apps/*/src', 'packages/*/src', 'stack/src']).map((sources) => ({
    places: 'folders',
    sources,
    placeOf: folderOf,
  })),
])('the $places of $sources do not import each other in a circle', ({ sources, placeOf }) => {
  const open = findImports(sources, placeOf);
  expect(open.size).toBeGreaterThan(1);
  // Places that import none of those left are not part of a circle.
  for (let free = true; free; ) {
    const outermost = [...open].filter(([, others]) => ![...others].some((other) => open.has(other)));
    for (const [place] of outermost) open.delete(place);
    free = outermost.length > 0;
  }
  expect([...open.keys()]).toEqual([]);
});
