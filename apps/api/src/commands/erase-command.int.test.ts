import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { readInherited } from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ApiHarness, startApi } from '../testing/api-harness.ts';

const UNKNOWN_ID = '019a0000-0000-7000-8000-000000000000';

describe('the erase command', () => {
  test('erases one user, gives the grant back, and says so', async () => {
    const [ada, grace] = [await api.signIn(), await api.signIn('grace@example.com')];
    api.google.heal();
    const { code, stdout } = await run(ada.userId);

    expect(code).toBe(0);
    expect(stdout).toContain(`Erased user ${ada.userId}.`);
    expect(stdout).toContain('"securityEvent":"data_erased"');
    expect(stdout).not.toContain('ada@example.com');
    expect(api.google.countCalls(/^\/oauth2\/revoke/)).toBe(1);
    await ada.get('/api/v1/me').expect(401);
    expect(await api.testDatabase.query('SELECT "id" FROM "User"')).toEqual([{ id: grace.userId }]);
    expect(await api.testDatabase.query('SELECT DISTINCT "userId" FROM "AuditEntry"')).toEqual([
      { userId: grace.userId },
    ]);
  });

  test.each([
    ['an unknown user', [UNKNOWN_ID], 1, `There is no user ${UNKNOWN_ID}.`],
    ['no user', [], 2, 'Usage: erase <user id>'],
    ['an address instead of an id', ['ada@example.com'], 2, 'Usage: erase <user id>'],
  ])('does nothing when it is given %s', async (_case, args, code, message) => {
    const before = await api.testDatabase.query('SELECT "id" FROM "User"');
    const result = await run(...args);

    expect(result).toMatchObject({ code, stdout: expect.stringContaining(message) });
    expect(await api.testDatabase.query('SELECT "id" FROM "User"')).toEqual(before);
  });
});

const run = async (...args: string[]) => {
  const child = spawn(process.execPath, [fileURLToPath(new URL('../erase.ts', import.meta.url)), ...args], {
    env: { ...readInherited(), ...api.env },
  });
  const output = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, 'exit')) as [number];
  const [stdout, stderr] = await output;
  return { code, stdout, stderr };
};

let api: ApiHarness;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());
