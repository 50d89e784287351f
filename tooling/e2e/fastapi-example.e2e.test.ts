import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { checkService } from '@mailsweep/ml-conformance';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { EXAMPLE_PYTHON, SKIP_REASON } from './src/example-python.ts';
import { readMachine } from './src/local-stack.ts';

const EXAMPLE = join(import.meta.dirname, '../../examples/fastapi');
const SECRET = 'a secret that two services share, at least 32 bytes';
const options = {
  cwd: EXAMPLE,
  env: { ...readMachine(), INTERNAL_JWT_SECRET: SECRET, PYTHONDONTWRITEBYTECODE: '1' },
};

describe.skipIf(EXAMPLE_PYTHON === null)(`the example in Python${SKIP_REASON}`, () => {
  let service: ChildProcess;
  let baseUrl = '';
  beforeAll(async () => {
    const port = await findFreePort();
    baseUrl = `http://127.0.0.1:${port}`;
    const words = ['-m', 'uvicorn', 'service.main:app', '--port', String(port), '--log-level', 'warning'];
    service = spawn(String(EXAMPLE_PYTHON), words, { ...options, stdio: 'inherit' });
    await vi.waitFor(async () => expect((await fetch(`${baseUrl}/health`)).status).toBe(200), 60_000);
  });
  afterAll(async () => {
    service.kill('SIGTERM');
    if (service.exitCode === null) await once(service, 'exit');
  });

  test('passes its own tests', async () => {
    const words = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider'];
    const { stdout } = await promisify(execFile)(String(EXAMPLE_PYTHON), words, options);
    expect(stdout).toMatch(/[1-9]\d* passed/);
    expect(stdout).not.toMatch(/failed|skipped/);
  });

  test('keeps the contract', async () => {
    const report = await checkService({ baseUrl, secret: SECRET });
    expect(report.results.flatMap(({ findings }) => findings)).toEqual([]);
    expect(report.isComplete).toBe(true);
  });
});
