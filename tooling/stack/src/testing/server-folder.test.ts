import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { endAbandonedServers, makeServerFolder } from './server-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** The folder of a process that has ended, as its servers left it. */
const abandonFolder = (parent: string, pids: { postgres: number; redis?: number }): void => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  const folder = join(parent, `mailsweep-test-${pid}-abc123`);
  const dataDir = join(folder, 'postgres');
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'postmaster.pid'), `${pids.postgres}\n${dataDir}\n`);
  if (pids.redis !== undefined) writeFileSync(join(folder, 'redis.pid'), `${pids.redis}\n`);
};

const startIdleProcess = (name: string) => {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1_000)', name]);
  onTestFinished(() => void child.kill('SIGKILL'));
  return { pid: child.pid ?? 0, ended: once(child, 'exit') };
};

it('ends the servers of a process that was killed, and deletes their data', async () => {
  const parent = temporaryFolder();
  const [postgres, redis] = [startIdleProcess('postgres'), startIdleProcess('redis-server')];
  abandonFolder(parent, { postgres: postgres.pid, redis: redis.pid });
  await endAbandonedServers(parent);
  await Promise.all([postgres.ended, redis.ended]);
  expect(readdirSync(parent)).toEqual([]);
});

it('leaves a program alone that has the process id of a server that has ended', async () => {
  const parent = temporaryFolder();
  const program = startIdleProcess('editor');
  abandonFolder(parent, { postgres: program.pid });
  await endAbandonedServers(parent);
  expect(readdirSync(parent)).toEqual([]);
  expect(() => process.kill(program.pid, 0)).not.toThrow();
});

it('leaves the folder of a process that runs', async () => {
  const parent = temporaryFolder();
  const folder = makeServerFolder(parent);
  await endAbandonedServers(parent);
  expect(readdirSync(parent)).toHaveLength(1);
  folder.remove();
  expect(readdirSync(parent)).toEqual([]);
});

it('leaves what others keep there', async () => {
  const parent = temporaryFolder();
  mkdirSync(join(parent, 'mailsweep-test-notes'));
  await endAbandonedServers(parent);
  expect(existsSync(join(parent, 'mailsweep-test-notes'))).toBe(true);
});
