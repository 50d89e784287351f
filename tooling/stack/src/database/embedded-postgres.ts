import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeRoles } from '@mailsweep/database/roles';
import pg from 'pg';
import { locatePostgres, type PostgresPlace } from './postgres-place.ts';

/** The password of the local database; it listens on the loopback address alone. */
const PASSWORD = 'mailsweep';
const USER = 'mailsweep';
const START_TIMEOUT_MS = 30_000;
const KEPT_LINES = 40;

/** Connection string of a database on the embedded server at a port, as the superuser. */
export const toEmbeddedPostgresUrl = (port: number, database: string): string =>
  `postgresql://${USER}:${PASSWORD}@127.0.0.1:${port}/${database}`;

/**
 * Starts a Postgres server from the binaries that the registry carries. The first start initialises the
 * cluster; later ones find their data again.
 *
 * @param options.programs - other binaries than these: the folder that holds `bin`
 * @param options.dataDir - where the cluster lives
 * @param options.databases - made when they are missing, and given the roles of Mailsweep
 * @param options.durable - false turns fsync off: for tests only
 * @param options.onLine - receives each line of the server's log
 * @returns `exited` resolves when the server process ends, for any reason; `close` ends all connections and stops it
 * @throws when the server does not start; the message holds the end of its log
 */
export const startEmbeddedPostgres = async (options: {
  programs?: string;
  dataDir: string;
  port: number;
  databases: string[];
  durable: boolean;
  onLine?: (line: string) => void;
}) => {
  const place = await locatePostgres(options.dataDir, options.programs);
  const lines: string[] = [];
  const keepLine = (line: string) => {
    lines.push(line);
    if (lines.length > KEPT_LINES) lines.shift();
    options.onLine?.(line);
  };
  const urlOf = (database: string) => toEmbeddedPostgresUrl(options.port, database);
  let server: ChildProcess | undefined;
  try {
    if (!existsSync(join(place.dataDir, 'PG_VERSION'))) await initialiseCluster(place, keepLine);
    const words = ['-c', GUARD, 'sh', join(place.binDir, 'postgres'), ...serverArguments(place, options)];
    server = run(place, 'sh', words, keepLine);
    const exited = once(server, 'exit').then(() => undefined);
    await Promise.race([
      untilConnected(urlOf('postgres')),
      exited.then(() => Promise.reject(new Error('the server process ended'))),
    ]);
    await createMissingDatabases(urlOf('postgres'), options.databases);
    for (const database of options.databases) await makeRoles(urlOf(database));
    const close = async () => {
      server?.stdin?.end();
      await exited;
    };
    return { exited, urlOf, close };
  } catch (error) {
    server?.stdin?.end();
    throw new Error(`Postgres did not start:\n${lines.join('\n')}`, { cause: error });
  }
};

/** Tests create and drop a thousand databases; their data need not survive a crash of the machine. */
const QUICK_SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
];

const serverArguments = (place: PostgresPlace, options: { port: number; durable: boolean }): string[] => {
  const settings = [
    `port=${options.port}`,
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    // Failing statements and rows can hold what mail says: the log gets neither.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    ...(options.durable ? [] : QUICK_SETTINGS),
  ];
  return ['-D', place.dataDir, ...settings.flatMap((setting) => ['-c', setting])];
};

/**
 * Runs a server until its standard input, a pipe from us, is closed: by us, or by our end, even by kill -9. SIGINT is
 * Postgres's "fast" shutdown: connections are cut, data is safe.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null 3<&- &
server=$!
{ read -r _ <&3; kill -INT "$server"; } &
guard=$!
wait "$server"
code=$?
kill "$guard" 2>/dev/null
exit "$code"`;

/** Runs a program in a process group of its own, so that Ctrl-C reaches it only through us. */
const run = (
  place: PostgresPlace,
  program: 'initdb' | 'sh',
  programArguments: string[],
  onLine: (line: string) => void,
): ChildProcess => {
  const child = spawn(program === 'sh' ? '/bin/sh' : join(place.binDir, program), programArguments, {
    ...place.owner,
    cwd: '/',
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // The server may end while its pipe is still open on our side.
  child.stdin?.on('error', () => child.stdin?.destroy());
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => text.trimEnd().split('\n').forEach(onLine));
  }
  child.on('error', (error) => onLine(error.message));
  return child;
};

const initialiseCluster = async (place: PostgresPlace, onLine: (line: string) => void): Promise<void> => {
  // An initialisation that was cut short leaves a folder that initdb refuses.
  rmSync(place.dataDir, { recursive: true, force: true });
  // As root, the server runs as an account that has to pass through this folder.
  mkdirSync(dirname(place.dataDir), { recursive: true, mode: 0o755 });
  mkdirSync(place.dataDir, { mode: 0o700 });
  const passwordFile = `${place.dataDir}.password`;
  writeFileSync(passwordFile, PASSWORD, { mode: 0o600 });
  if (place.owner) {
    for (const path of [place.dataDir, passwordFile]) chownSync(path, place.owner.uid, place.owner.gid);
  }
  const words = `-U ${USER} -A scram-sha-256 -E UTF8 --locale=C`.split(' ');
  const initdb = run(place, 'initdb', ['-D', place.dataDir, `--pwfile=${passwordFile}`, ...words], onLine);
  const [exitCode] = await once(initdb, 'exit');
  rmSync(passwordFile);
  if (exitCode !== 0) throw new Error(`initdb ended with code ${exitCode}`);
};

const untilConnected = async (url: string): Promise<void> => {
  const deadline = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 1_000 });
    try {
      await client.connect();
      return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await delay(50);
    } finally {
      await client.end();
    }
  }
};

const createMissingDatabases = async (url: string, names: string[]): Promise<void> => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const present = await client.query<{ datname: string }>('SELECT datname FROM pg_database');
    const missing = names.filter((name) => !present.rows.some((row) => row.datname === name));
    for (const name of missing) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
};
