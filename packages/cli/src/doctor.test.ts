import { describe, expect, it } from 'vitest';
import { ProblemResponse, serveContract, TOKEN } from './testing/contract-server.ts';
import { runProgram } from './testing/run-program.ts';
import { MAILBOX, ME, SCAN, WATCH } from './testing/samples.ts';

const withToken = (api: string) => ({ MAILSWEEP_TOKEN: TOKEN, MAILSWEEP_API: api });
const listOf = <T>(...data: T[]) => ({ total: data.length, page: 1, perPage: 100, data });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

const HEALTHY = {
  checkHealth: () => ({ status: 'ok' }),
  checkDatabaseHealth: () => ({ db: 'ok' }),
  getMe: () => ({ ...ME, connection: 'active', sessionExpiresAt: inDays(30) }),
  getMailboxOverview: () => MAILBOX,
  listScans: () => listOf(SCAN.completed),
  getWatch: () => WATCH.off,
};
type Handlers = Parameters<typeof serveContract>[0];

const examine = async (changes: Handlers = {}) => {
  const { api } = await serveContract({ ...HEALTHY, ...changes });
  const { exitCode, stdout } = await runProgram(['doctor', '--json'], { env: withToken(api) });
  return { exitCode, ...(JSON.parse(stdout) as { healthy: boolean; findings: Finding[] }) };
};
interface Finding {
  check: string;
  state: string;
  message: string;
  remedy?: string;
}
const fail = (code: string, status: number) => () => {
  throw new ProblemResponse(status, code, `Detail of ${code}.`);
};

describe('the doctor', () => {
  it('finds nothing where all is well', async () => {
    const { exitCode, healthy, findings } = await examine();
    expect([exitCode, healthy]).toEqual([0, true]);
    expect(findings.map(({ check, state }) => `${check} ${state}`)).toEqual([
      'api ok',
      'clock ok',
      'database ok',
      'token ok',
      'mailbox ok',
      'scan ok',
      'watch ok',
    ]);
  });

  it.each<[string, Handlers, RegExp]>([
    ['database', { checkDatabaseHealth: fail('database_unavailable', 503) }, /does not reach/],
    ['token', { getMe: fail('unauthorized', 401) }, /has ended, or was revoked/],
    ['mailbox', { getMe: () => ({ ...HEALTHY.getMe(), connection: 'reauth_required' }) }, /Gmail has ended/],
    [
      'mailbox',
      { getMailboxOverview: fail('mail_service_disabled', 403) },
      /Detail of mail_service_disabled/,
    ],
  ])('names a problem of the %s, says what to do, and ends with code 1', async (check, changes, message) => {
    const { exitCode, healthy, findings } = await examine(changes);
    expect([exitCode, healthy]).toEqual([1, false]);
    expect(findings.filter(({ state }) => state === 'problem')).toEqual([
      {
        check,
        state: 'problem',
        message: expect.stringMatching(message),
        remedy: expect.stringMatching(/\.?$/),
      },
    ]);
  });

  it.each<[string, Handlers, RegExp]>([
    ['token', { getMe: () => ({ ...HEALTHY.getMe(), sessionExpiresAt: inDays(3) }) }, /^Signed in/],
    ['scan', { listScans: () => listOf() }, /never scanned/],
  ])('warns of the %s, and ends with code 0', async (check, changes, message) => {
    const { exitCode, healthy, findings } = await examine(changes);
    expect([exitCode, healthy]).toEqual([0, true]);
    expect(findings.filter(({ state }) => state !== 'ok')).toEqual([
      { check, state: 'warning', message: expect.stringMatching(message), remedy: expect.any(String) },
    ]);
  });

  it('tells an address where there is no API from one where nobody is signed in', async () => {
    const nowhere = await runProgram(['doctor'], { env: withToken('http://127.0.0.1:9') });
    expect(nowhere.exitCode).toBe(1);
    expect(nowhere.stdout).toMatch(/✗ http:\/\/127\.0\.0\.1:9 does not respond[\s\S]*--api/);
    const { api } = await serveContract(HEALTHY);
    const stranger = await runProgram(['doctor', '--api', api]);
    expect(stranger.exitCode).toBe(1);
    expect(stranger.stdout).toMatch(/✓ The API reaches its database\.[\s\S]*✗ You are not signed in\./);
  });
});
