import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { acquireStackLock } from './stack-lock.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

const STACK = 'node /home/ada/mailsweep/stack/src/main.ts ';

const lockFile = (): string => join(temporaryFolder(), 'stack.lock');

it('lets one stack work on a data folder at a time', () => {
  const file = lockFile();
  const commandLineOf = (pid: number) => (pid === 100 ? STACK : null);
  const lock = acquireStackLock({ lockFile: file, pid: 100, commandLineOf });
  expect(() => acquireStackLock({ lockFile: file, pid: 200, commandLineOf })).toThrow(
    /runs already \(process 100\)/,
  );
  lock.release();
  expect(existsSync(file)).toBe(false);
  acquireStackLock({ lockFile: file, pid: 200, commandLineOf });
  expect(readFileSync(file, 'utf8')).toBe('200');
});

it.each([
  ['is gone', null],
  ['has its id from another program', '/usr/bin/vim notes.txt'],
])('takes over a lock whose process %s', (_case, commandLine) => {
  const file = lockFile();
  writeFileSync(file, '100');
  acquireStackLock({ lockFile: file, pid: 200, commandLineOf: () => commandLine });
  expect(readFileSync(file, 'utf8')).toBe('200');
  expect(readdirSync(dirname(file))).toEqual(['stack.lock']);
});

it('gives back only what is still its own', () => {
  const file = lockFile();
  const lock = acquireStackLock({ lockFile: file, pid: 100, commandLineOf: () => null });
  writeFileSync(file, '200');
  lock.release();
  expect(readFileSync(file, 'utf8')).toBe('200');
});
