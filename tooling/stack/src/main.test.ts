import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@mailsweep/service-kit/testing';
import pg from 'pg';
import { expect, it, onTestFinished } from 'vitest';
import { startEmbeddedPostgres } from './database/embedded-postgres.ts';
import { removePostgresData } from './database/postgres-place.ts';
import { temporaryFolder } from './testing/temporary-folder.ts';

it('says how to start over when the database is of another version, and names the doctor', {
  timeout: 60_000,
}, async () => {
  const dataDir = join(temporaryFolder(), 'data');
  onTestFinished(() => removePostgresData(dataDir));
  const port = await findFreePort();
  const server = await startEmbeddedPostgres({ dataDir, port, databases: ['other'], durable: false });
  onTestFinished(() => server.close());
  const client = new pg.Client({ connectionString: server.urlOf('other') });
  await client.connect();
  await client.query(`CREATE TABLE schemaversion (version bigint PRIMARY KEY, name text, md5 text, run_at timestamptz);
    INSERT INTO schemaversion (version) VALUES (0), (1000000)`);
  await client.end();

  const { status, stdout } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL('main.ts', import.meta.url))],
    {
      env: {
        DATABASE_URL: server.urlOf('other'),
        MAILSWEEP_HOME: temporaryFolder(),
        PORT: `${await findFreePort()}`,
      },
      encoding: 'utf8',
    },
  );
  expect(stdout).toMatch(/other migrations.*npm start -- --reset$/m);
  expect(stdout).toContain('npm run doctor');
  expect(stdout).not.toContain('migrate.ts');
  expect(status).toBe(1);
});
