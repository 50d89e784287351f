import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient, followScan } from '@mailsweep/client';
import type { CreatedToken } from '@mailsweep/contracts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signIn } from './src/api-session.ts';
import { readSamples } from './src/document-samples.ts';
import { type LocalStack, startLocalStack } from './src/local-stack.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const DOCUMENTS = ['docs/QUICKSTART.md', 'docs/INTEGRATION.md', 'packages/client/README.md'];
const COMMAND_LINE = 'packages/cli/README.md';
const PROGRAM = join(REPOSITORY, 'packages/cli/src/main.ts');
/** Of the classification service. */
const SECRET = randomBytes(32).toString('hex');
/** What a reader does once: the test has its own address and token; packages and signing in have tests of their own. */
const NOT_RUN = /^(?:export API=|npm install |mailsweep login )/;

const samplesOf = (document: string, language: string): string[] =>
  readSamples(document, language)
    .map((code) => code.replace(/^export API=.*\n/m, ''))
    .filter((code) => code !== '' && !NOT_RUN.test(code));

describe.each(DOCUMENTS)('the samples of %s', (document) => {
  const inShell = samplesOf(document, 'sh').join('\n');
  test.runIf(inShell)('run in a shell, one after another', async () => {
    // A request that is refused ends the script.
    const strict = 'set -euo pipefail; curl() { command curl -sS --fail-with-body "$@"; }';
    await run('bash', ['--norc', '-c', `${strict}\n${inShell}`]);
  });

  test.for(samplesOf(document, 'ts'))('run in TypeScript, number %$', async (code) => {
    const file = join(folder, 'sample.ts');
    writeFileSync(file, code);
    expect(await run(process.execPath, [file])).not.toBe('');
  });

  test.for(samplesOf(document, 'python'))('run in Python, number %$', async (code) => {
    expect(await run('python3', ['-c', code])).toMatch(/[1-9]\d* undone/);
  });
});

describe(`the samples of ${COMMAND_LINE}`, () => {
  test('run at a terminal, where their questions are answered', async () => {
    const commands = samplesOf(COMMAND_LINE, 'sh')
      .flatMap((code) => code.trim().split('\n'))
      // The classification services that a reader has, and their secret.
      .map((command) => command.replace(/http:\/\/localhost:800\d/g, stack.ml).replace('=…', `=${SECRET}`));
    writeFileSync(join(folder, 'secret'), SECRET);
    const labelled = samplesOf(COMMAND_LINE, 'json').find((sample) => sample.startsWith('{"email"'));
    writeFileSync(join(folder, 'labelled.jsonl'), labelled ?? '');
    const file = join(folder, 'command.sh');
    let output = '';
    for (const command of commands) {
      writeFileSync(
        file,
        `mailsweep() { NO_COLOR=1 '${process.execPath}' '${PROGRAM}' "$@"; }\n${command}\n`,
      );
      // A terminal, at which somebody says yes.
      output += await run('bash', ['--norc', '-c', `echo y | script -qec 'bash --norc ${file}' /dev/null`]);
    }
    expect(output).toMatch(/Archive \d+ emails/);
    expect(output).toMatch(/Undone: \d+ emails/);
    expect(output).toMatch(/945 labelled emails/);
  });
});

describe('the samples of the API documentation', () => {
  test('are taken by the API, whatever it says of their made-up ids', async () => {
    const document = (await (await fetch(`${stack.api}/openapi.json`)).json()) as ApiDocument;
    const samples = Object.values(document.paths)
      .flatMap((operations) => Object.values(operations))
      .flatMap(({ operationId, 'x-codeSamples': all = [] }) =>
        all.map((sample) => ({ operationId, ...sample })),
      );
    expect(samples.length).toBeGreaterThan(100);

    const script = samples
      .filter(({ lang }) => lang === 'Shell')
      .map(({ operationId, source }) => `echo; echo -n '${operationId} '; ${source}`);
    const responses = await run('bash', [
      '--norc',
      '-c',
      `curl() { command curl -sS "$@"; }\n${script.join('\n')}`,
    ]);
    const lines = responses.split('\n').filter((line) => line !== '');
    expect(lines).toHaveLength(script.length);
    // The body of a rule names a sender, and that of an erasure an address: where they are made up, they are invalid.
    const isRefused = (line: string) =>
      /"code":"(?:validation_failed|route_not_found|bad_request)"/.test(line) &&
      !/condition\.sender is not a sender|confirm is not the email address/.test(line);
    expect(lines.filter(isRefused)).toEqual([]);
    for (const { lang, source } of samples)
      if (lang === 'TypeScript') expect(() => stripTypeScriptTypes(source)).not.toThrow();
  });
});

type ApiDocument = {
  paths: Record<
    string,
    Record<string, { operationId: string; 'x-codeSamples'?: { lang: string; source: string }[] }>
  >;
};

/** Runs a program in the variables that the documents name, and returns what it prints. */
const run = async (program: string, words: string[]): Promise<string> =>
  (await promisify(execFile)(program, words, { cwd: folder })).stdout;

/** A user with a token and one of each thing that samples name. */
const prepare = async (): Promise<Record<string, string>> => {
  const { session } = await signIn(stack.api, 'ada@example.com');
  const { secret } = await session.post<CreatedToken>('api/v1/me/tokens', {
    name: 'Samples',
    scope: 'admin',
    requiresConfirmation: false,
  });
  const client = createClient({ baseUrl: stack.api, token: secret });
  const { id } = await client.startScan();
  for await (const { state } of followScan(client, id)) expect(state).not.toBe('failed');

  const [sender] = (await client.listSenders()).data;
  const selection = { type: 'filter', scope: 'inbox', category: 'social' } as const;
  const cleanup = await client.createCleanup({ body: { action: 'mark_read', selection } });
  // Whose session the samples end.
  const other = await signIn(stack.api, 'dorothy@example.com');
  return {
    API: stack.api,
    TOKEN: secret,
    MAILSWEEP_API: stack.api,
    MAILSWEEP_TOKEN: secret,
    SENDER_ID: sender?.id ?? '',
    CLEANUP_ID: cleanup.id,
    SESSION_TOKEN: other.session.cookie.replace('session_token=', ''),
    INTERNAL_JWT_SECRET: SECRET,
  };
};

let stack: LocalStack;
let folder = '';
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mailsweep-docs-'));
  mkdirSync(join(folder, 'node_modules/@mailsweep'), { recursive: true });
  symlinkSync(join(REPOSITORY, 'packages/client'), join(folder, 'node_modules/@mailsweep/client'));
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  // A stack of its own: the examples name its secret.
  stack = await startLocalStack({ INTERNAL_JWT_SECRET: SECRET });
  for (const [name, value] of Object.entries(await prepare())) vi.stubEnv(name, value);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
  expect(await stack?.stop()).toBe(0);
});
