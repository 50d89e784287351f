import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { FILE_VARIABLES, findSuspectVariables, readSecretFiles, VARIABLES } from './variables.ts';

test('a secret is what its file holds, without the line break at its end', () => {
  const { env, issues } = readSecretFiles({ REDIS_URL_FILE: write('redis://:word@redis:6379\n'), PORT: '1' });
  expect(env).toMatchObject({ REDIS_URL: 'redis://:word@redis:6379', PORT: '1' });
  expect(issues).toEqual([]);
});

test('an empty file is an absent variable, and an empty name names no file', () => {
  const { env, issues } = readSecretFiles({ VAPID_PRIVATE_KEY_FILE: write(''), REDIS_URL_FILE: '' });
  expect(env.VAPID_PRIVATE_KEY).toBe('');
  expect(env.REDIS_URL).toBeUndefined();
  expect(issues).toEqual([]);
});

test('a variable beside its file, and a file that is missing, are named, without any value', () => {
  const { issues } = readSecretFiles({
    DB_PASSWORD: 'hunter2',
    DB_PASSWORD_FILE: write('hunter3'),
    TOKEN_ENCRYPTION_KEY_FILE: join(folder, 'missing'),
  });
  expect(issues).toEqual([
    { variable: 'DB_PASSWORD_FILE', message: 'must not be set beside DB_PASSWORD' },
    { variable: 'TOKEN_ENCRYPTION_KEY_FILE', message: 'names a file that can’t be read (ENOENT)' },
  ]);
});

test('only known variables come from files, and a misspelled one is reported', () => {
  expect(readSecretFiles({ LOG_LEVEL_FILE: write('debug') }).env.LOG_LEVEL).toBeUndefined();
  for (const name of FILE_VARIABLES) expect(VARIABLES).toContain(name.replace(/_FILE$/, ''));
  const suspects = findSuspectVariables({ TOKEN_ENCRYPTON_KEY_FILE: 'a', TOKEN_ENCRYPTION_KEY_FILE: 'b' });
  expect(suspects).toMatchObject([{ didYouMean: 'TOKEN_ENCRYPTION_KEY_FILE' }]);
});

let folder: string;
let files = 0;
const write = (text: string): string => {
  files += 1;
  const file = join(folder, `secret-${files}`);
  writeFileSync(file, text);
  return file;
};
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'mailsweep-secrets-'));
});
afterAll(() => rmSync(folder, { recursive: true }));
