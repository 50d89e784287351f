import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { findFreePort } from '@mailsweep/service-kit/testing';
import pg from 'pg';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';
import { findPostmaster, removePostgresData } from './postgres-place.ts';
import { isRunning } from './process-table.ts';

it('leaves no Postgres behind when its process is killed', { timeout: 60_000 }, async () => {
  const folder = temporaryFolder();
  // As root, Postgres runs as another user.
  chmodSync(folder, 0o711);
  const dataDir = join(folder, 'data');
  onTestFinished(() => removePostgresData(dataDir));
  const options = { dataDir, port: await findFreePort(), databases: [], durable: false };
  const source = `
    const { startEmbeddedPostgres } = await import('${new URL('./embedded-postgres.ts', import.meta.url).href}');
    await startEmbeddedPostgres(${JSON.stringify(options)});
    process.stdout.write('up');`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', source], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  const pid = findPostmaster(dataDir) ?? 0;
  expect(isRunning(pid)).toBe(true);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(pid)).toBe(false), { timeout: 20_000 });
  expect(
    existsSync(join(dataDir, 'postmaster.pid')) && readFileSync(join(dataDir, 'postmaster.pid'), 'utf8'),
  ).toBe(false);
});

it('starts in a folder that is closed to other accounts', { timeout: 60_000 }, async () => {
  const dataDir = join(temporaryFolder(), 'data');
  onTestFinished(() => removePostgresData(dataDir));
  const server = await startEmbeddedPostgres({
    dataDir,
    port: await findFreePort(),
    databases: [],
    durable: false,
  });
  expect(isRunning(findPostmaster(dataDir) ?? 0)).toBe(true);
  await server.close();
});

it('finds no data of another folder that was at the same path', { timeout: 60_000 }, async () => {
  const home = join(temporaryFolder(), 'clone');
  const moved = `${home}-moved`;
  const dataDir = join(home, 'data');
  onTestFinished(() => {
    for (const folder of [home, moved]) removePostgresData(join(folder, 'data'));
  });
  const start = async () =>
    startEmbeddedPostgres({ dataDir, port: await findFreePort(), databases: [], durable: false });
  const first = await start();
  await query(first.urlOf('postgres'), 'CREATE TABLE of_the_first (id int)');
  await first.close();
  renameSync(home, moved);
  const second = await start();
  expect(await query(second.urlOf('postgres'), `SELECT to_regclass('of_the_first') AS found`)).toEqual([
    { found: null },
  ]);
  await second.close();
});

const query = async (url: string, sql: string): Promise<unknown[]> => {
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
};
