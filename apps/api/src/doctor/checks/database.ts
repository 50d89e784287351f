import { explainDatabaseError, isDatabaseUnavailable, pingDatabase } from '@mailsweep/database';
import { readMigrationState } from '@mailsweep/database/migrate';
import { QUEUE_SCHEMA } from '@mailsweep/event-bus';
import {
  countReadableConnections,
  createTokenCipher,
  type ProcessName,
  parseProcessName,
  toFingerprints,
} from '@mailsweep/mail/provider-connection';
import { VERSION } from '@mailsweep/service-kit';
import { type DoctorContext, databaseVariable, explainMissing, need } from '../context.ts';
import {
  countConnections,
  listProgramNames,
  readMissingRights,
  readServerState,
} from '../database.repository.ts';
import { error, type Finding, type Findings, faultsOr, ok, skipped, warning } from '../finding.ts';

const OLDEST_VERSION = 15;
/** What the queue on Postgres tolerates (`clock-skew.ts` of the event bus), in milliseconds. */
const CLOCK_TOLERANCE_MS = 2_000;
/** Connections of one API and one worker: pools of 10 each; on Postgres the queue takes 10 and 12 more, and one listens. */
const CONNECTIONS_WITH_REDIS = 21;
const CONNECTIONS_WITHOUT_REDIS = 43;
/** Names of tables or migrations that a message holds. */
const MOST_NAMES = 3;

const shorten = (names: readonly string[]): string =>
  names.length > MOST_NAMES
    ? `${names.slice(0, MOST_NAMES).join('; ')} and ${names.length - MOST_NAMES} more`
    : names.join('; ');

/** Why the database takes no write; undefined where it does, and where something else than the server is to blame. */
const findWriteError = (database: DoctorContext['database']): Promise<string | undefined> =>
  pingDatabase(database).then(
    () => undefined,
    (cause: unknown) => (isDatabaseUnavailable(cause) ? explainDatabaseError(cause) : undefined),
  );

/** Whether the database takes connections and writes, is new enough, and has the time of this machine. */
export const checkDatabase = async (context: DoctorContext): Promise<Findings> => {
  const variable = databaseVariable(context);
  const { databaseUrl, database } = context;
  if (databaseUrl === undefined) return skipped(explainMissing(context, variable));
  try {
    // The first statement connects, which would count as a difference of the clocks.
    await readServerState(database);
    const sentAtMs = Date.now();
    const { version, clockMs, encoding } = await readServerState(database);
    const skewMs = Math.abs(clockMs - Math.min(Math.max(clockMs, sentAtMs), Date.now()));
    const major = Math.floor(version / 10_000);
    const writeError = await findWriteError(database);
    return faultsOr(
      `Postgres ${major} answers.`,
      major < OLDEST_VERSION &&
        error({
          variable,
          message: `This is Postgres ${major}.`,
          why: `Mailsweep uses what came with Postgres ${OLDEST_VERSION}.`,
          fix: `Upgrade Postgres to ${OLDEST_VERSION} or newer.`,
        }),
      encoding !== 'UTF8' &&
        error({
          variable,
          message: `The database has the encoding ${encoding}.`,
          why: 'It refuses the letters of most languages.',
          fix: 'Create a database with ENCODING UTF8, and restore a backup into it.',
        }),
      writeError !== undefined &&
        error({
          variable,
          message: `Postgres takes no writes: ${writeError}.`,
          why: 'API and worker can read and do nothing else: most requests get 503, and events wait.',
          fix: 'Point to the primary server, end its read-only mode (default_transaction_read_only), or make space on its disk.',
        }),
      skewMs > CLOCK_TOLERANCE_MS &&
        error({
          message: `The clocks of this machine and of Postgres differ by ${Math.round(skewMs / 1_000)} s.`,
          why: 'Leases and the queue on Postgres go by both clocks: workers refuse to start.',
          fix: 'Have both machines keep their clocks (chrony, systemd-timesyncd).',
        }),
    );
  } catch (cause) {
    const reason = explainDatabaseError(cause);
    return error({
      variable: databaseVariable(context, reason),
      message: `Postgres cannot be used: ${reason}.`,
      why: 'Neither API nor worker can do anything without it.',
      fix: 'Compare host, port, user, password and database name with the server.',
    });
  }
};

/** Whether the schema is that of exactly this version. */
export const checkMigrations = async ({ databaseUrl = '' }: DoctorContext): Promise<Findings> => {
  const { pending, foreign } = await readMigrationState({ databaseUrl });
  const why = 'API and worker read and write tables that are not there, or are different.';
  if (foreign.length > 0)
    return error({
      message: `The database has migrations that this version does not have, or has with another text: ${shorten(foreign.map(String))}.`,
      why,
      fix: 'Run the version of Mailsweep that made it, or a newer one; roll back with: pnpm db:rollback of that version.',
    });
  if (pending.length > 0)
    return error({
      message: `${pending.length} migrations are not applied: ${shorten(pending)}.`,
      why,
      fix: 'Run pnpm db:migrate, or the image migrate, as the owner of the database.',
    });
  return ok('The schema is that of this version.');
};

/** Whether the role may read and write rows of all tables, and use the queue where that is in Postgres. */
export const checkRights = async ({ database, values }: DoctorContext): Promise<Findings> => {
  const { tables, queue, mayMakeTemporary } = await readMissingRights(database, QUEUE_SCHEMA);
  return faultsOr(
    'The role has all rights that it needs.',
    tables.length > 0 &&
      error({
        message: `The role lacks rights: ${shorten(tables)}.`,
        why: 'What needs these tables fails.',
        fix: 'As the owner of the database: GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO <role>; prisma/compose-roles.sql sets that for later tables, too.',
      }),
    values.REDIS_URL === undefined &&
      queue === 'refused' &&
      error({
        variable: 'REDIS_URL',
        message: `The role may not use the schema ${QUEUE_SCHEMA}, in which the queue is without REDIS_URL.`,
        why: 'No event leaves the outbox.',
        fix: 'Set REDIS_URL, or run prisma/compose-roles.sql; for a role of another name: CREATE SCHEMA bullmq AUTHORIZATION <role>.',
      }),
    values.REDIS_URL === undefined &&
      !mayMakeTemporary &&
      warning({
        message: 'The role may make no temporary tables, as jobs in bulk take without REDIS_URL.',
        why: 'Events are published one by one, which is slower.',
        fix: 'Run prisma/compose-roles.sql again, or: GRANT TEMPORARY ON DATABASE <database> TO <role>.',
      }),
  );
};

/** Whether one API and one worker get the connections that they open at most. */
export const checkConnections = async ({ database, values }: DoctorContext): Promise<Findings> => {
  const { allowed, open, ours } = await countConnections(database);
  const needed = values.REDIS_URL === undefined ? CONNECTIONS_WITHOUT_REDIS : CONNECTIONS_WITH_REDIS;
  const left = allowed - (open - ours);
  const message = `${left} connections can be had; one API and one worker take ${needed} at most`;
  return faultsOr(
    `${message}.`,
    left < needed &&
      warning({
        message: `${message}, and so does each further pair.`,
        why: 'Under load requests fail with 503, since no connection is free.',
        fix: 'Raise max_connections of Postgres (or the limit of the role or database), end other programs, or put PgBouncer in front (docs/OPERATIONS.md).',
      }),
  );
};

const TITLES: Record<string, string> = { api: 'API', worker: 'worker' };

/** What comes of it when a process is missing. */
const MISSED_FOR: Record<string, string> = {
  api: 'Users get no answer, and events stay in the outbox.',
  worker: 'Events are not delivered; scans, cleanups, watches and notifications stand still.',
};

const checkPresence = (running: readonly ProcessName[]): Findings => {
  const missing = Object.entries(MISSED_FOR).filter(
    ([name]) => !running.some(({ service }) => service === name),
  );
  const fix =
    'Start what is missing with the same DATABASE_URL; if it runs, look at its log. A pooler in front of Postgres may hide it.';
  if (missing.length === 2)
    return warning({
      message: 'Neither an API nor a worker is connected to this database.',
      why: 'Before the first start that is as it should be.',
      fix,
    });
  return missing.map(([service, why]) =>
    error({ message: `No ${TITLES[service]} is connected to this database.`, why, fix }),
  );
};

const checkKeys = ({ service, keys }: ProcessName, [current = '']: readonly string[]): Finding | false =>
  keys.length > 0 &&
  !keys.includes(current) &&
  error({
    variable: 'TOKEN_ENCRYPTION_KEY',
    message: `The ${TITLES[service] ?? service} that runs has another TOKEN_ENCRYPTION_KEY than these variables.`,
    why: 'What one process encrypts, the other cannot read: mailboxes cannot be opened, and their users have to sign in again.',
    fix: 'Give API and worker the same key, and restart them; docs/OPERATIONS.md, "Rotate keys", says how to change it.',
  });

/**
 * Whether API and worker run, in one version and with the keys that these variables have. Each names itself in its connections
 * to the database, so that they are seen on whatever machine they run.
 */
export const checkProcesses = async ({ database, values }: DoctorContext): Promise<Findings> => {
  const names = await listProgramNames(database);
  const running = names.map(parseProcessName).filter((process) => process !== undefined);
  const { TOKEN_ENCRYPTION_KEY: current, TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = values;
  const workers = running.filter(({ service }) => service === 'worker');
  return faultsOr(
    `API and worker run version ${VERSION}, with the same keys.`,
    checkPresence(running),
    ...running.flatMap((process) => [
      process.version !== VERSION &&
        warning({
          message: `The ${TITLES[process.service] ?? process.service} that runs is of version ${process.version}, and this is ${VERSION}.`,
          why: 'Versions may differ during an upgrade, not for long.',
          fix: 'Complete the upgrade: migrate the database, then restart API and worker with the same version.',
        }),
      current !== undefined && checkKeys(process, toFingerprints({ current, previous })),
    ]),
    workers.length > 0 &&
      workers.every(({ keys }) => keys.length === 0) &&
      warning({
        variable: 'TOKEN_ENCRYPTION_KEY',
        message: 'No worker that runs has keys.',
        why: 'Scans, cleanups and watches wait; events are delivered.',
        fix: 'Give a worker TOKEN_ENCRYPTION_KEY, OAUTH_CLIENT_ID, OAUTH_CLIENT_SECRET and ML_BASE_URL.',
      }),
  );
};

/** Whether the keys read stored tokens: a restore with another key or an interrupted rotation breaks that. */
export const checkStoredTokens = async (context: DoctorContext): Promise<Findings> => {
  const current = need(context, 'TOKEN_ENCRYPTION_KEY');
  const { TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = context.values;
  const tokenCipher = createTokenCipher({ current, previous });
  const { readable, unreadable } = await countReadableConnections({
    database: context.database,
    tokenCipher,
  });
  return faultsOr(
    `${readable} connections to mailboxes are stored, and the keys read them.`,
    unreadable > 0 &&
      error({
        variable: 'TOKEN_ENCRYPTION_KEY',
        message: `${unreadable} of ${readable + unreadable} connections to mailboxes were encrypted with another key.`,
        why: 'These mailboxes cannot be opened: their users have to sign in again.',
        fix: 'Set the key that the database was used with as TOKEN_ENCRYPTION_KEY, or as TOKEN_ENCRYPTION_KEY_PREVIOUS during a rotation.',
      }),
  );
};
