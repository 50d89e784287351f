import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { expect, it, onTestFinished } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { dataFolderAt } from './data-folder.ts';
import { acquireStackLock } from './stack-lock.ts';

const MODULE = new URL('./stack-lock.ts', import.meta.url).href;

/** Another process that takes the lock, and then waits for its end. */
const holdLock = async (folder: ReturnType<typeof dataFolderAt>) => {
  const source = `
    const { acquireStackLock } = await import('${MODULE}');
    await acquireStackLock({ folder: ${JSON.stringify(folder)}, onLost: () => undefined });
    process.on('SIGTERM', () => process.exit());
    console.log('held');
    setInterval(() => undefined, 1_000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');
  return holder;
};

const acquire = (folder: ReturnType<typeof dataFolderAt>) =>
  acquireStackLock({ folder, onLost: () => undefined });

it('lets one stack work on a data folder at a time, and says where that is', {
  timeout: 20_000,
}, async () => {
  const folder = dataFolderAt(temporaryFolder());
  const holder = await holdLock(folder);
  const stackFile = { api: 'http://localhost:3000', web: 'http://localhost:5173', pid: holder.pid };
  writeFileSync(folder.stackFile, JSON.stringify(stackFile));
  await expect(acquire(folder)).rejects.toThrow(
    `runs already: http://localhost:5173 (process ${holder.pid}). Stop it`,
  );
  holder.kill('SIGTERM');
  await once(holder, 'exit');
  expect(existsSync(folder.lockFile)).toBe(false);
});

it('takes over the lock of a stack that was killed', { timeout: 20_000 }, async () => {
  const folder = dataFolderAt(temporaryFolder());
  const holder = await holdLock(folder);
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  await expect(acquire(folder)).resolves.toBeUndefined();
});
