import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which of the workspace's own packages each may use; the arrows of docs/ARCHITECTURE.md. */
const ALLOWED: Record<string, string[]> = {
  contracts: [],
  client: ['contracts'],
  mcp: ['client'],
  // The command line.
  mailsweep: ['client', 'mcp', 'ml-evaluation'],
  database: [],
  'service-kit': ['contracts'],
  mail: ['contracts', 'database', 'service-kit'],
  'ml-client': ['contracts', 'service-kit'],
  'event-bus': ['contracts', 'database', 'service-kit'],
  core: ['contracts', 'database', 'event-bus', 'mail', 'ml-client', 'service-kit'],
  api: ['client', 'contracts', 'core', 'database', 'event-bus', 'mail', 'mcp', 'ml-client', 'service-kit'],
  worker: ['contracts', 'core', 'database', 'event-bus', 'mail', 'ml-client', 'service-kit'],
  ml: ['contracts', 'service-kit'],
  'ml-conformance': ['contracts'],
  'ml-evaluation': ['contracts', 'ml-client', 'ml-conformance'],
  web: ['client', 'contracts'],
  'google-sandbox': ['service-kit'],
  // Mail for the set-up alone, which checks what somebody enters as the product does.
  stack: ['contracts', 'database', 'google-sandbox', 'mail', 'service-kit', 'web'],
  bench: [
    'contracts',
    'core',
    'database',
    'event-bus',
    'google-sandbox',
    'mail',
    'ml-client',
    'service-kit',
    'stack',
  ],
  // A manifest alone: linters, tests and releases need its libraries.
  checks: [],
  e2e: ['client', 'contracts', 'google-sandbox', 'service-kit', 'stack'],
};

/** Libraries that belong to one layer alone. */
const CONFINED: Record<string, string[]> = {
  express: ['service-kit', 'api', 'worker', 'ml', 'web', 'google-sandbox', 'stack'],
  bullmq: ['event-bus', 'worker'],
  '@prisma/client': ['database'],
  got: ['ml-client', 'service-kit', 'e2e'],
  'openid-client': ['mail'],
  commander: ['mailsweep'],
  '@modelcontextprotocol/server': ['mcp', 'mailsweep', 'api'],
  react: ['web'],
};

interface Manifest {
  name: string;
  version: string;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

const packages = globSync(['{apps,packages,tooling}/*/package.json', 'prisma/package.json']).map((path) => ({
  folder: dirname(path),
  manifest: JSON.parse(readFileSync(path, 'utf8')) as Manifest,
}));

/** The sources of a workspace, without tests, what only tests use, and what trains a model. */
const shippedFiles = (folder: string): string[] =>
  globSync(`${folder}/{src,server}/**/*.{ts,tsx}`).filter(
    (file) => !/\.test\.tsx?$/.test(file) && !/\/(testing|training)\//.test(file),
  );

const shortName = (name: string) => name.replace('@mailsweep/', '');

describe('the packages of the workspace', () => {
  test.each(packages)(
    'the sources of $manifest.name import only packages below it',
    ({ folder, manifest }) => {
      const name = shortName(manifest.name);
      expect(ALLOWED).toHaveProperty(name);
      const strays = shippedFiles(folder).flatMap((file) =>
        [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'@mailsweep\/([\w-]+)/g)].flatMap(
          ([, imported = '']) =>
            imported === name || ALLOWED[name]?.includes(imported) ? [] : [`${file}: ${imported}`],
        ),
      );
      expect(strays).toEqual([]);
      const declared = Object.keys(manifest.dependencies ?? {}).filter((one) =>
        one.startsWith('@mailsweep/'),
      );
      expect(declared.map(shortName).filter((one) => !ALLOWED[name]?.includes(one))).toEqual([]);
    },
  );

  test.each(packages)('$manifest.name uses no library that belongs to another layer', ({ manifest }) => {
    const strays = Object.keys(manifest.dependencies ?? {}).filter(
      (name) => CONFINED[name] !== undefined && !CONFINED[name].includes(shortName(manifest.name)),
    );
    expect(strays).toEqual([]);
  });

  test('have the version of the product', () => {
    const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(packages.filter(({ manifest }) => manifest.version !== version)).toEqual([]);
  });

  test.each(packages)('$manifest.name takes every version from the catalog', ({ manifest }) => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => version !== 'catalog:' && version !== 'workspace:*')).toEqual([]);
  });

  test.each(packages)(
    'the sources of $manifest.name reach other packages by their names alone',
    ({ folder }) => {
      const files = globSync(`${folder}/{src,server,scripts}/**/*.{ts,tsx}`);
      const escapes = files.filter((file) => {
        const depth = file.split('/').length - folder.split('/').length - 1;
        const climbs = [...readFileSync(file, 'utf8').matchAll(/from '((?:\.\.\/)+)/g)];
        return climbs.some(([, steps = '']) => steps.length / 3 > depth);
      });
      expect(escapes).toEqual([]);
    },
  );
});

/** The houses within the house of mail: each uses those before it, by their doors in the manifest alone. */
const MAIL = ['mailbox', 'message-cache', 'quota', 'gmail', 'jmap', 'provider-connection'];

test.each(MAIL.map((folder, floor) => ({ folder, below: MAIL.slice(0, floor) })))(
  'packages/mail/src/$folder uses what is below it, by its door',
  ({ folder, below }) => {
    const strays = globSync(`packages/mail/src/${folder}/**/*.ts`).flatMap((file) => {
      const depth = file.split('/').length - 'packages/mail/src'.split('/').length - 2;
      const isTest = file.endsWith('.test.ts') || file.includes('/testing/');
      return [...readFileSync(file, 'utf8').matchAll(/(?:from|import\() ?'([^']+)'/g)].flatMap(
        ([, path = '']) => {
          const steps = path.split('../').length - 1;
          const [, house = folder] = /^@mailsweep\/mail\/([\w-]+)/.exec(path) ?? [];
          const isIn = house === folder && steps <= depth;
          return isIn || isTest || below.includes(house) ? [] : [`${file}: ${path}`];
        },
      );
    });
    expect(strays).toEqual([]);
  },
);

/** The sources that ship, without tests and what only tests use. */
const sources = globSync('{apps,packages}/*/src/**/*.ts')
  .filter((file) => !file.endsWith('.test.ts') && !file.includes('/testing/'))
  .map((file) => ({ file, text: readFileSync(file, 'utf8') }));
const filesWith = (pattern: RegExp, files = sources): string[] =>
  files.filter(({ text }) => pattern.test(text)).map(({ file }) => file);

describe('the layers', () => {
  test('SQL is in repositories alone', () => {
    const files = filesWith(
      /\$(queryRaw|executeRaw)|\b(readRows|writeRows)\b|Prisma\.(sql|raw|join|empty)\b/,
    );
    expect(files.filter((file) => !file.endsWith('.repository.ts'))).toEqual([]);
    expect(files.length).toBeGreaterThan(20);
  });

  test('routes call use cases, not repositories', () => {
    const routes = sources.filter(({ file }) => file.endsWith('.routes.ts'));
    expect(
      filesWith(
        /from '(.*\.repository\.ts|@mailsweep\/database)'|import \{.*from '@mailsweep\/core'/,
        routes,
      ),
    ).toEqual([]);
    expect(routes.length).toBeGreaterThan(5);
  });
});

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
  ...globSync('{apps,packages,tooling}/*/src').map((sources) => ({
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
