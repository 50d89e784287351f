import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Cleanup, CreatedToken, Scan } from '@mailsweep/contracts';
import got from 'got';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type ApiSession, signIn } from './src/api-session.ts';
import type { SharedStack } from './src/local-stack.ts';
import { ownUser, shareStack } from './src/shared-stack.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/src/main.ts');
const ARCHIVE = ['cleanup', 'archive', '--category', 'promotions', '--older-than', '30'];

describe('the command line, with a browser', () => {
  test('is allowed by the user, acts within its scope, and ends its token as it signs out', async () => {
    const login = startMailsweep(['login', '--no-browser', '--scope', 'read', '--api', stack.api]);
    const address = new URL(await login.waitFor(/^http\S+authorize\S+$/m));
    const asked = await got(address, { followRedirect: false });
    const page = new URL(asked.headers.location ?? '');
    expect(page.origin + page.pathname).toBe(`${stack.web}/authorize`);
    const path = `api/v1/me/authorizations/${page.searchParams.get('request')}`;
    expect(await session.get(path)).toMatchObject({
      client: { host: null },
      redirectHost: null,
      scope: 'read',
    });
    const { redirectTo } = await session.post<{ redirectTo: string }>(`${path}/allow`, { expiresInDays: 1 });
    expect(await got(redirectTo).text()).toContain('You can close this window');
    expect(await login.ended).toMatchObject({
      exitCode: 0,
      stdout: `Signed in as ${USER} at ${stack.api}.\n`,
    });

    expect((await mailsweep(['whoami'])).stdout).toContain('scope read');
    const { token } = JSON.parse(readFileSync(join(settings, 'mailsweep/credentials.json'), 'utf8'));
    expect((await mailsweep(['logout', '--json'])).stdout).toContain('"revoked": true');
    const env = { MAILSWEEP_TOKEN: token, MAILSWEEP_API: stack.api };
    expect(await mailsweep(['whoami'], '', env)).toMatchObject({ exitCode: 3 });
  });
});

describe('the command line, as a script uses it', () => {
  test('is signed in with a token from stdin', async () => {
    const { secret } = await makeToken('act');
    expect(await mailsweep(['login', '--token', '--api', stack.api], secret)).toMatchObject({ exitCode: 0 });
    expect((await mailsweep(['whoami'])).stdout).toContain(USER);
  });

  test('scans, and lists what is suggested', async () => {
    const events = readEvents<{ event: string; scan: Scan }>((await mailsweep(['scan', '--json'])).stdout);
    expect(events.at(-1)).toMatchObject({ event: 'finished', scan: { state: 'completed' } });
    const { stdout } = await mailsweep(['suggestions', '--json']);
    expect((JSON.parse(stdout) as { emails: number }).emails).toBeGreaterThan(10);
  });

  test('plans a cleanup, runs it and undoes it', async () => {
    const dryRun = await mailsweep([...ARCHIVE, '--dry-run']);
    expect(dryRun).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Archive \d+ emails/) });
    const cleanup = await mailsweep([...ARCHIVE, '--yes', '--json']);
    const ended = readEvents<{ cleanup: Cleanup }>(cleanup.stdout).at(-1)?.cleanup;
    expect(ended).toMatchObject({ state: 'completed', failed: 0 });
    expect((await mailsweep(['history'])).stdout).toContain(ended?.batchId);
    const undo = await mailsweep(['undo', '--yes', '--json']);
    expect(JSON.parse(undo.stdout)).toMatchObject({ id: ended?.batchId, undone: ended?.changed });
  });

  test('does no more than its token allows', async () => {
    const { secret } = await makeToken('read');
    const env = { MAILSWEEP_TOKEN: secret, MAILSWEEP_API: stack.api };
    const { exitCode, stdout, stderr } = await mailsweep([...ARCHIVE, '--yes'], '', env);
    expect([exitCode, stdout]).toEqual([1, '']);
    expect(stderr).toContain('scope act');
    expect(stderr).not.toContain(secret);
  });
});

const USER = ownUser('ada');
let stack: SharedStack;
let session: ApiSession;
let settings = '';

const makeToken = (scope: string): Promise<CreatedToken> =>
  session.post<CreatedToken>('api/v1/me/tokens', {
    name: `Command line, ${scope}`,
    scope,
    requiresConfirmation: false,
  });

const startMailsweep = (args: string[], input = '', env: Record<string, string> = {}) => {
  const child = spawn(process.execPath, [PROGRAM, ...args], { env: { XDG_CONFIG_HOME: settings, ...env } });
  child.stdin.end(input);
  const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
  let messages = '';
  child.stderr.on('data', (chunk) => {
    messages += String(chunk);
  });
  return {
    ended: Promise.all([text(child.stdout), closed]).then(([stdout, exitCode]) => ({
      exitCode,
      stdout,
      stderr: messages,
    })),
    /** What of its messages has this form, as soon as it is there. */
    waitFor: (pattern: RegExp) =>
      vi.waitUntil(() => pattern.exec(messages)?.[0], { timeout: 10_000, interval: 20 }),
  };
};

const mailsweep = (...call: Parameters<typeof startMailsweep>) => startMailsweep(...call).ended;

const readEvents = <T>(lines: string): T[] =>
  lines
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);

beforeAll(async () => {
  settings = mkdtempSync(join(tmpdir(), 'mailsweep-cli-'));
  stack = await shareStack();
  ({ session } = await signIn(stack.api, USER));
});
afterAll(() => rmSync(settings, { recursive: true, force: true }));
