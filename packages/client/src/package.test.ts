import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { API_ROUTES } from '@mailsweep/contracts';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const PACKAGE = join(import.meta.dirname, '..');
const PROGRAMS = join(PACKAGE, '../../node_modules/.bin');
const MAX_BYTES = 10_000;

/** Written against the documentation alone, in a project with nothing but this package and the compiler. */
const PROGRAM = `
import { createClient, followScan, isProblem, listItems, type Scan, type Sender, UnreachableError } from '@mailsweep/client';

const client = createClient({ baseUrl: 'http://127.0.0.1:9', token: 'token', retries: 0 });

export const largest = async (): Promise<Sender[]> => {
  const found: Sender[] = [];
  for await (const sender of listItems(client.listSenders, { query: { sort: 'bytes', perPage: 100 } })) found.push(sender);
  return found;
};
export const scan = async (show: (scan: Scan) => void): Promise<void> => {
  const { id } = await client.startScan({ body: { scope: 'inbox' } });
  for await (const state of followScan(client, id)) show(state);
};
// @ts-expect-error There is no such filter.
export const wrongFilter = () => client.listEmails({ query: { unraed: true } });
// @ts-expect-error An action that the API does not have.
export const wrongAction = () => client.executeInboxAction({ body: { emailIds: [], action: 'explode' } });
// @ts-expect-error The parameters are missing.
export const noParameters = () => client.getScan({});

try {
  await client.getMe();
} catch (error) {
  if (isProblem(error, 'not_found')) {
    const code: 'not_found' = error.code;
    throw new Error(code);
  }
  if (!(error instanceof UnreachableError)) throw error;
  console.log('The types and the module work.');
}
`;

/** The samples of the documentation, each a program of its own. */
const SAMPLES = ['../README.md', '../../../docs/INTEGRATION.md', '../../../docs/QUICKSTART.md'].flatMap(
  (file) =>
    [...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)].map(
      ([, code = '']) => code,
    ),
);

let folder = '';
const inFolder = (command: string, ...words: string[]): string =>
  execFileSync(command, words, { cwd: folder, encoding: 'utf8' });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'client-package-'));
  execFileSync('pnpm', ['pack', '--pack-destination', folder], { cwd: PACKAGE });
  const [tarball = ''] = readdirSync(folder);
  inFolder(join(PROGRAMS, 'publint'), '--strict', tarball);
  inFolder(join(PROGRAMS, 'attw'), '--profile', 'esm-only', tarball);
  const manifest = { name: 'stranger', private: true, type: 'module' };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  inFolder('npm', 'install', '--offline', '--no-audit', '--no-fund', `./${tarball}`);
  writeFileSync(join(folder, 'program.ts'), PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const compile = (module: string, moduleResolution: string, ...words: string[]): string =>
  inFolder(
    join(PROGRAMS, 'tsc'),
    ...['--strict', '--exactOptionalPropertyTypes', '--target', 'es2022', '--types', ''],
    ...['--lib', 'es2022,dom,esnext.asynciterable', '--module', module],
    ...['--moduleResolution', moduleResolution, ...words],
  );

describe('the package, installed in an empty project', () => {
  it('brings nothing else along', () => {
    expect(readdirSync(join(folder, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual([
      '@mailsweep',
    ]);
    expect(readdirSync(join(folder, 'node_modules/@mailsweep'))).toEqual(['client']);
  });

  it.each(['nodenext', 'bundler'])(
    'has types that need no others, with module resolution %s',
    (resolution) => {
      mkdirSync(join(folder, resolution));
      const module = resolution === 'bundler' ? 'esnext' : resolution;
      compile(module, resolution, '--outDir', resolution, 'program.ts');
      expect(inFolder(process.execPath, `${resolution}/program.js`)).toContain(
        'The types and the module work.',
      );
    },
  );

  it('has every route of the contract, in code and types', () => {
    const dist = join(folder, 'node_modules/@mailsweep/client/dist');
    const code = readFileSync(join(dist, 'index.js'), 'utf8');
    const types = readFileSync(join(dist, 'operations.d.ts'), 'utf8');
    for (const [id, { path }] of Object.entries(API_ROUTES)) {
      expect(code).toContain(path);
      expect(types).toMatch(new RegExp(`^  ${id}: \\{ request: `, 'm'));
    }
  });

  it('compiles the samples of the documentation', () => {
    expect(SAMPLES.length).toBeGreaterThan(2);
    mkdirSync(join(folder, 'samples'));
    writeFileSync(
      join(folder, 'samples/process.d.ts'),
      'declare const process: { env: Record<string, string | undefined> };',
    );
    for (const [index, code] of SAMPLES.entries())
      writeFileSync(join(folder, `samples/sample-${index}.ts`), code);
    const files = readdirSync(join(folder, 'samples')).map((name) => `samples/${name}`);
    compile('nodenext', 'nodenext', '--noEmit', ...files);
  });

  it('is at most 10 kB minified and compressed, without the schemas and their library', async () => {
    const bundle = await rolldown({ input: join(folder, 'node_modules/@mailsweep/client/dist/index.js') });
    const { output } = await bundle.generate({ format: 'esm', minify: true });
    await bundle.close();
    expect(output).toHaveLength(1);
    expect(gzipSync(output[0].code).length).toBeLessThanOrEqual(MAX_BYTES);
    expect(output[0].imports).toEqual([]);
    const source = readFileSync(join(folder, 'node_modules/@mailsweep/client/dist/index.js'), 'utf8');
    expect(source).not.toMatch(/zod/i);
    expect(source).toContain('/api/v1/cleanups/{id}/run');
  });
});
