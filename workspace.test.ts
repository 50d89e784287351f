import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';

/** Which of the workspace's own packages each may use; the arrows of docs/ARCHITECTURE.md. */
const ALLOWED: Record<string, string[]> = {
  contracts: [],
  client: ['contracts'],
  mcp: ['client'],
  // The command line.
  mailsweep: ['client', 'mcp'],
  database: [],
  'service-kit': ['contracts'],
  'mailbox-quota': ['database', 'service-kit'],
  mailbox: ['contracts'],
  'message-cache': ['contracts', 'database', 'mailbox'],
  gmail: ['contracts', 'mailbox', 'mailbox-quota', 'service-kit'],
  'gmail-mailbox': ['contracts', 'gmail', 'mailbox', 'mailbox-quota', 'message-cache'],
  jmap: ['contracts', 'mailbox', 'message-cache', 'service-kit'],
  'ml-client': ['contracts', 'service-kit'],
  'provider-connection': [
    'database',
    'gmail',
    'gmail-mailbox',
    'jmap',
    'mailbox',
    'mailbox-quota',
    'message-cache',
    'service-kit',
  ],
  'event-bus': ['contracts', 'database', 'service-kit'],
  core: ['contracts', 'database', 'event-bus', 'mailbox', 'message-cache', 'ml-client', 'service-kit'],
  api: [
    'client',
    'contracts',
    'core',
    'database',
    'event-bus',
    'mailbox',
    'mailbox-quota',
    'mcp',
    'message-cache',
    'ml-client',
    'provider-connection',
    'service-kit',
    // For the doctor alone, which checks the configuration of both.
    'worker',
  ],
  worker: [
    'contracts',
    'core',
    'database',
    'event-bus',
    'mailbox',
    'mailbox-quota',
    'message-cache',
    'ml-client',
    'provider-connection',
    'service-kit',
  ],
  ml: ['contracts', 'service-kit'],
  'ml-conformance': ['contracts'],
  'ml-evaluation': ['contracts', 'ml-client', 'ml-conformance'],
  web: ['client', 'contracts'],
  'google-sandbox': ['service-kit'],
  // The last three for the live check alone, which compares the product's own code with the real Gmail.
  stack: [
    'contracts',
    'database',
    'google-sandbox',
    'service-kit',
    'web',
    'gmail',
    'gmail-mailbox',
    'mailbox',
    'provider-connection',
  ],
  bench: [
    'contracts',
    'core',
    'database',
    'event-bus',
    'google-sandbox',
    'jmap',
    'mailbox',
    'message-cache',
    'provider-connection',
    'service-kit',
    'stack',
  ],
  e2e: ['client', 'contracts', 'stack'],
};

/** Libraries that belong to one layer alone. */
const CONFINED: Record<string, string[]> = {
  express: ['service-kit', 'api', 'worker', 'ml', 'web', 'google-sandbox', 'stack'],
  bullmq: ['event-bus', 'worker'],
  '@prisma/client': ['database'],
  got: ['ml-client', 'service-kit', 'e2e'],
  'openid-client': ['provider-connection'],
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

const packages = globSync('{apps,packages}/*/package.json')
  .concat(globSync('{prisma,stack,e2e,bench}/package.json'))
  .map((path) => ({ folder: dirname(path), manifest: JSON.parse(readFileSync(path, 'utf8')) as Manifest }));

const shortName = (name: string) => name.replace('@mailsweep/', '');

describe('the packages of the workspace', () => {
  test.each(packages)('$manifest.name depends only on packages below it', ({ manifest }) => {
    const own = Object.keys(manifest.dependencies ?? {}).filter((name) => name.startsWith('@mailsweep/'));
    expect(ALLOWED).toHaveProperty(shortName(manifest.name));
    expect(own.map(shortName).filter((name) => !ALLOWED[shortName(manifest.name)]?.includes(name))).toEqual(
      [],
    );
  });

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

  test('only the doctor of the API uses the worker', () => {
    const users = filesWith(/from '@mailsweep\/worker/);
    expect(users.filter((file) => !file.startsWith('apps/api/src/doctor/'))).toEqual([]);
    expect(users.length).toBeGreaterThan(0);
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
