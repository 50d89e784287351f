import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createClient, followScan } from '@mailsweep/client';
import type { CreatedToken } from '@mailsweep/contracts';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { describe, expect, onTestFinished, test } from 'vitest';
import { signIn } from './src/api-session.ts';
import { readSamples } from './src/document-samples.ts';
import { EXAMPLE_PYTHON, SKIP_REASON } from './src/example-python.ts';
import { readMachine, startLocalStack } from './src/local-stack.ts';

const REPOSITORY = join(import.meta.dirname, '../..');
const GUIDE = 'docs/REPLACE-THE-CLASSIFIER.md';
/** What the test does in its own way: it has the checkout and the libraries, and starts Mailsweep in a folder of its own. */
const [CHECKOUT, LIBRARIES, START] = [/^export MAILSWEEP=/, /^pip install /, / npm start$/m];

describe.skipIf(EXAMPLE_PYTHON === null)(`${GUIDE}${SKIP_REASON}`, () => {
  test('leads from nothing to suggestions of the reader’s own classifier', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mailsweep-classifier-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const port = await findFreePort();
    const samples = readSamples(GUIDE, 'sh').map((code) => code.replaceAll('8000', String(port)));
    for (const pattern of [CHECKOUT, LIBRARIES, START])
      expect(samples.filter((code) => pattern.test(code))).toHaveLength(1);
    const start = samples.find((code) => START.test(code)) ?? '';
    const commands = samples.filter((code) => ![CHECKOUT, LIBRARIES, START].some((it) => it.test(code)));

    const { env, output } = await follow(folder, commands);
    expect(output).toContain('The service conforms');

    const [, name = '', value = ''] = / (\w+)=(\S+) npm start$/m.exec(start) ?? [];
    const stack = await startLocalStack({ ...env, [name]: value });
    onTestFinished(async () => expect(await stack.stop()).toBe(0));
    const { session } = await signIn(stack.api, 'ada@example.com');
    const { secret: token } = await session.post<CreatedToken>('api/v1/me/tokens', {
      name: 'Guide',
      scope: 'act',
      requiresConfirmation: false,
    });
    const client = createClient({ baseUrl: stack.api, token });
    const { id } = await client.startScan();
    for await (const { state } of followScan(client, id)) expect(state).not.toBe('failed');
    const { data } = await client.listStoredSuggestions();
    const found = data.flatMap(({ suggestions }) =>
      suggestions.map((it) => `${it.action} ${it.classification}`),
    );
    expect(new Set(found)).toEqual(new Set(['archive my_newsletters', 'read_first my_attachments']));
  });
});

/** Runs the commands as one shell would; what they leave in the background ends with the test. */
const follow = async (
  folder: string,
  commands: string[],
): Promise<{ env: Record<string, string>; output: string }> => {
  // Several Pythons may be installed: `python3` is to be the one that has the libraries.
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  symlinkSync(String(EXAMPLE_PYTHON), join(bin, 'python3'));
  const log = join(folder, 'output.log');
  const file = openSync(log, 'w');
  const path = [bin, join(REPOSITORY, 'node_modules/.bin'), readMachine().PATH].join(':');
  const script = ['set -euo pipefail', ...commands, 'echo "SECRET=$INTERNAL_JWT_SECRET"'].join('\n');
  const shell = spawn('bash', ['--norc', '-c', script], {
    cwd: folder,
    env: { ...readMachine(), PATH: path, MAILSWEEP: REPOSITORY, PYTHONDONTWRITEBYTECODE: '1' },
    detached: true,
    stdio: ['ignore', file, file],
  });
  const group = -Number(shell.pid);
  onTestFinished(() => void process.kill(group, 'SIGTERM'));
  const [exitCode] = await once(shell, 'exit');
  const output = readFileSync(log, 'utf8');
  expect(exitCode, output).toBe(0);
  const [, secret = ''] = /^SECRET=(\w+)$/m.exec(output) ?? [];
  return { env: { INTERNAL_JWT_SECRET: secret }, output };
};
