import { explainDatabaseError } from '@mailsweep/database';
import { readMigrationState } from '@mailsweep/database/migrate';
import { QUEUE_SCHEMA } from '@mailsweep/event-bus';
import { type DoctorContext, databaseVariable, explainMissing } from '../context.ts';
import { countConnections, readMissingRights, readServerState } from '../database.repository.ts';
import { error, type Finding, faultsOr, ok, skipped, warning } from '../finding.ts';

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

/** Whether the database takes connections, is new enough, and has the time of this machine. */
export const checkDatabase = async (context: DoctorContext): Promise<Finding[]> => {
  const variable = databaseVariable(context);
  const { databaseUrl, database } = context;
  if (databaseUrl === undefined) return [skipped(explainMissing(context, variable))];
  try {
    // The first statement connects, which would count as a difference of the clocks.
    await readServerState(database);
    const sentAtMs = Date.now();
    const { version, clockMs } = await readServerState(database);
    const skewMs = Math.abs(clockMs - Math.min(Math.max(clockMs, sentAtMs), Date.now()));
    const major = Math.floor(version / 10_000);
    return faultsOr(
      `Postgres ${major} answers.`,
      major < OLDEST_VERSION &&
        error({
          variable,
          message: `This is Postgres ${major}.`,
          why: `Mailsweep uses what came with Postgres ${OLDEST_VERSION}.`,
          fix: `Upgrade Postgres to ${OLDEST_VERSION} or newer.`,
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
    return [
      error({
        variable: databaseVariable(context, reason),
        message: `Postgres cannot be used: ${reason}.`,
        why: 'Neither API nor worker can do anything without it.',
        fix: 'Compare host, port, user, password and database name with the server.',
      }),
    ];
  }
};

/** Whether the schema is that of exactly this version. */
export const checkMigrations = async ({ databaseUrl = '' }: DoctorContext): Promise<Finding[]> => {
  const { pending, foreign } = await readMigrationState({ databaseUrl });
  const why = 'API and worker read and write tables that are not there, or are different.';
  if (foreign.length > 0)
    return [
      error({
        message: `The database has migrations that this version does not have, or has with another text: ${shorten(foreign.map(String))}.`,
        why,
        fix: 'Run the version of Mailsweep that made it, or a newer one; roll back with: pnpm db:rollback of that version.',
      }),
    ];
  if (pending.length > 0)
    return [
      error({
        message: `${pending.length} migrations are not applied: ${shorten(pending)}.`,
        why,
        fix: 'Run pnpm db:migrate, or the image migrate, as the owner of the database.',
      }),
    ];
  return [ok('The schema is that of this version.')];
};

/** Whether the role may read and write rows of all tables, and use the queue where that is in Postgres. */
export const checkRights = async ({ database, values }: DoctorContext): Promise<Finding[]> => {
  const { tables, queue } = await readMissingRights(database, QUEUE_SCHEMA);
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
        fix: 'Set REDIS_URL, or let the role make the schema: GRANT CREATE ON DATABASE <database> TO <role>.',
      }),
  );
};

/** Whether one API and one worker get the connections that they open at most. */
export const checkConnections = async ({ database, values }: DoctorContext): Promise<Finding[]> => {
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
