import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalStack, readMachine, startLocalStack } from './src/local-stack.ts';

const BOOTSTRAP = fileURLToPath(new URL('../stack/bootstrap.mjs', import.meta.url));
const LAUNCHER = fileURLToPath(new URL('../stack/mailsweep.mjs', import.meta.url));

interface Report {
  healthy: boolean;
  counts: Record<string, number>;
  findings: { check: string; status: string; variable?: string; message: string }[];
}

/** Runs a command in the checkout, beside the running stack. */
const run = async (words: string[], env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, words, {
    env: { ...readMachine(), MAILSWEEP_HOME: stack.home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [exitCode]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { exitCode, output, errors };
};

describe('npm run doctor', () => {
  test('finds nothing wrong with what npm start runs', async () => {
    const { exitCode, output, errors } = await run([BOOTSTRAP, 'doctor', '--json']);
    const report = JSON.parse(output) as Report;
    expect(report.findings.filter(({ status }) => !['ok', 'skipped'].includes(status))).toEqual([]);
    expect(report).toMatchObject({ healthy: true, counts: { error: 0, warning: 0 } });
    expect(report.findings).toContainEqual({
      check: 'processes',
      status: 'ok',
      message: expect.stringContaining('with the same keys'),
    });
    expect(errors).toContain('npm start runs');
    expect(exitCode).toBe(0);
  });

  test('is also mailsweep doctor --installation, and names what is broken', async () => {
    const env = { ML_BASE_URL: `http://127.0.0.1:${await findFreePort()}`, OAUTH_CLIENT_SECERT: 'hunter2' };
    const { exitCode, output } = await run([LAUNCHER, 'doctor', '--installation'], env);
    expect(output).toMatch(/^✗ classification: .*\n.*Why it matters: .*\n.*What to change: ML_BASE_URL\. /m);
    expect(output).toMatch(/^! variables: .*OAUTH_CLIENT_SECERT/m);
    expect(output).not.toContain('hunter2');
    expect(exitCode).toBe(1);
  });
});

let stack: LocalStack;
beforeAll(async () => {
  // A stack of its own: the doctor looks at all of it.
  stack = await startLocalStack();
});
afterAll(() => stack.stop());
