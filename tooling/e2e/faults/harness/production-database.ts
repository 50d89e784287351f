import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readInherited } from '@mailsweep/service-kit/testing';
import { removePostgresData, startEmbeddedPostgres } from '@mailsweep/stack/testing';
import { findFreePort } from './free-port.ts';

const DATABASE = 'mailsweep';
const PASSWORD = 'password-of-a-role';

/**
 * A Postgres server with the roles of docker-compose.yml, made by the installed programs, for `pg_dump` has to be as new
 * as the server.
 *
 * @param programs - the folder that holds `bin`
 */
export const startProductionDatabase = async (programs: string) => {
  const folder = mkdtempSync(join(tmpdir(), 'mailsweep-production-'));
  const dataDir = join(folder, 'postgres');
  const passwordFile = join(folder, 'password');
  writeFileSync(passwordFile, PASSWORD);
  const port = await findFreePort();
  const urlFor = (role: string) => `postgresql://${role}:${PASSWORD}@127.0.0.1:${port}/${DATABASE}`;

  /** Runs a command as operators do; rejects when its exit code is not 0. */
  const run = async (command: string, words: string[], env: Record<string, string>): Promise<string> => {
    const path = `${join(programs, 'bin')}:/usr/bin:/bin`;
    const { stdout } = await promisify(execFile)(command, words, {
      env: { ...readInherited(), PATH: path, ...env },
    });
    return stdout;
  };

  const start = async () => {
    const server = await startEmbeddedPostgres({
      programs,
      dataDir,
      port,
      databases: [],
      durable: false,
    });
    const { username, password } = new URL(server.urlOf(DATABASE));
    const env = {
      PGHOST: '127.0.0.1',
      PGPORT: String(port),
      PGDATABASE: DATABASE,
      PGUSER: username,
      PGPASSWORD: password,
      // One password from a variable and one from a file: the compose files differ in this.
      POSTGRES_OWNER_PASSWORD_FILE: passwordFile,
      POSTGRES_SERVICE_PASSWORD: PASSWORD,
    };
    await run('createdb', [DATABASE], env);
    // A second time, as with a newer version.
    for (let times = 0; times < 2; times += 1)
      await run('psql', ['-q', '-v', 'ON_ERROR_STOP=1', '-f', 'prisma/compose-roles.sql'], env);
    return server;
  };
  let server = await start();

  return {
    folder,
    superuserUrl: server.urlOf(DATABASE),
    /** As migrations sign in. */
    ownerUrl: urlFor('mailsweep_owner'),
    /** As API and worker sign in. */
    serviceUrl: urlFor('mailsweep_service'),
    /** Runs one of the scripts in `deploy`, as the owner of the database, and returns what it printed. */
    runScript: (script: 'backup.sh' | 'restore.sh', argument: string) =>
      run(`deploy/${script}`, [argument], {
        PGHOST: '127.0.0.1',
        PGPORT: String(port),
        PGDATABASE: DATABASE,
        PGUSER: 'mailsweep_owner',
        PGPASSWORD: PASSWORD,
      }),
    /** Destroys the server with all its data, and starts an empty one in its place. */
    async replace() {
      await server.close();
      removePostgresData(dataDir);
      server = await start();
    },
    async close() {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};
