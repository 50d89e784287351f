import { type Database, Prisma, readRows, type Transaction, writeRows } from '@mailsweep/database';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import { WORK_ROWS, type WorkKind } from './work-kinds.repository.ts';

/** Work that this process does. */
export interface LeasedWork {
  /** Of the row, or of the user whose work it is. */
  id: string;
  userId: string;
  leaseId: string;
  /** The traces that made it due; left out where the process that made it due does it itself. */
  traceParents?: readonly (string | null)[];
}

/** How long the work of a process that died stays taken, in seconds. */
export const LEASE_S = 12;
/** Processes in a row that may die during a step, before the work waits for an operator. */
const MAX_CRASHES = 5;
/** Pause after each such process, in seconds, in which the other work that died with it gets ahead. */
const CRASH_PAUSE_S = 5;

/** Assignments that make a row due now, for the statements that start its work. */
export const dueNow = () =>
  Prisma.sql`"dueAt" = now(), "crashes" = 0, "traceParent" = ${currentTraceParent()}`;

const unleased = Prisma.sql`"leaseId" = NULL, "leasedUntil" = NULL, "crashes" = 0`;
const isParked = (kind: WorkKind): Prisma.Sql =>
  Prisma.sql`${WORK_ROWS[kind].isActive} AND "crashes" >= ${MAX_CRASHES}::int`;

/** The Postgres channel on which due work is announced; the payload is its kind. */
export const WORK_CHANNEL = 'mailsweep_due_work';

/** Wakes idle workers. One that does not hear of it looks by itself within a second. */
export const announceWork = async (database: Database | Transaction, kind: WorkKind): Promise<void> => {
  await database.$executeRaw`SELECT pg_notify(${WORK_CHANNEL}, ${kind})`;
};

/**
 * Leases the work that has been due the longest; null when none is due. A lease that has run out is that of a crash. Times
 * are stored in whole milliseconds, so that "now" may be rounded up.
 *
 * @param now - in place of the clock of the database
 */
export const claimDueWork = async (
  database: Database,
  kind: WorkKind,
  now?: Date,
): Promise<LeasedWork | null> => {
  const { table, key, dueAt, isActive, isStuck, claimed, traceParent } = WORK_ROWS[kind];
  const isDue = Prisma.sql`${isActive} AND NOT ${isStuck} AND "crashes" < ${MAX_CRASHES}::int
    AND ${dueAt} < coalesce(${now ?? null}::timestamptz, now()) + interval '1 ms'
    AND ("leasedUntil" IS NULL OR "leasedUntil" < now() - make_interval(secs => "crashes" * ${CRASH_PAUSE_S}::float8))`;
  const rows = await readRows<Omit<LeasedWork, 'traceParents'> & { traceParent: string | null }>(
    database,
    Prisma.sql`
    WITH due AS (
      SELECT work.${key} AS "key" FROM ${table} AS work ${claimed.join}
      WHERE ${isDue} ORDER BY ${dueAt} LIMIT 1 FOR NO KEY UPDATE OF ${claimed.locked} SKIP LOCKED)
    UPDATE ${table} AS work
    SET "leaseId" = ${uuidv7()}::uuid, "leasedUntil" = now() + make_interval(secs => ${LEASE_S}::float8),
      "crashes" = "crashes" + CASE WHEN "leasedUntil" IS NULL THEN 0 ELSE 1 END
    FROM due WHERE work.${key} = due."key" AND ${isDue}
    RETURNING work.${key} AS "id", work."userId", work."leaseId", ${traceParent} AS "traceParent"`,
  );
  const [work] = rows;
  if (work === undefined) return null;
  const { id, userId, leaseId } = work;
  return { id, userId, leaseId, traceParents: rows.map((row) => row.traceParent) };
};

/** Keeps work leased while a step is taken; returns false when another process has taken it over, or it is gone. */
export const renewLease = async (
  database: Database,
  kind: WorkKind,
  { id, leaseId }: LeasedWork,
): Promise<boolean> => {
  const { table, key } = WORK_ROWS[kind];
  const renewed = await database.$executeRaw`
    UPDATE ${table} SET "leasedUntil" = now() + make_interval(secs => ${LEASE_S}::float8)
    WHERE ${key} = ${id}::uuid AND "leaseId" = ${leaseId}::uuid`;
  return renewed > 0;
};

/**
 * Ends the lease of a step, unless another process has taken the work over.
 *
 * @param waitMs - how long after that the next step is due; null: when the row says
 */
export const releaseWork = async (
  database: Database,
  kind: WorkKind,
  { id, leaseId }: LeasedWork,
  waitMs: number | null,
): Promise<void> => {
  const { table, key, dueAt } = WORK_ROWS[kind];
  const nextAt =
    waitMs === null ? dueAt : Prisma.sql`now() + make_interval(secs => ${waitMs / 1_000}::float8)`;
  await writeRows(
    database,
    Prisma.sql`
    UPDATE ${table} SET ${unleased}, ${dueAt} = ${nextAt}
    WHERE ${key} = ${id}::uuid AND "leaseId" = ${leaseId}::uuid`,
  );
};

/** Gives up what has not got on for a day; returns how much. */
export const giveUpStuckWork = (database: Database, kind: WorkKind): Promise<number> => {
  const { table, isActive, isStuck, giveUp } = WORK_ROWS[kind];
  return database.$executeRaw`UPDATE ${table} SET ${giveUp} WHERE ${isActive} AND ${isStuck}`;
};

/** How much work of a kind is in progress, and how much waits for an operator. */
export const countWork = async (
  database: Database,
  kind: WorkKind,
): Promise<{ active: number; parked: number }> => {
  const { table, isActive } = WORK_ROWS[kind];
  const [counts] = await database.$queryRaw<[{ active: number; parked: number }]>`
    SELECT count(*) FILTER (WHERE "crashes" < ${MAX_CRASHES}::int)::int AS "active",
      count(*) FILTER (WHERE "crashes" >= ${MAX_CRASHES}::int)::int AS "parked"
    FROM ${table} WHERE ${isActive}`;
  return counts;
};

/** Work of a kind that waits for an operator, since too many processes died of it; `at`: the end of the last lease. */
export const listParkedWork = (
  database: Database,
  kind: WorkKind,
): Promise<{ id: string; crashes: number; at: Date }[]> => {
  const { table, key, dueAt } = WORK_ROWS[kind];
  return database.$queryRaw`
    SELECT ${key} AS "id", max("crashes") AS "crashes", max(coalesce("leasedUntil", ${dueAt})) AS "at" FROM ${table}
    WHERE ${isParked(kind)} GROUP BY ${key} ORDER BY "at"`;
};

/** Has work that waits for an operator taken up again; returns whether it waited. */
export const resumeParkedWork = async (database: Database, kind: WorkKind, id: string): Promise<boolean> => {
  const { table, key, dueAt } = WORK_ROWS[kind];
  const resumed = await database.$executeRaw`
    UPDATE ${table} SET ${unleased}, ${dueAt} = now() WHERE ${key} = ${id}::uuid AND ${isParked(kind)}`;
  return resumed > 0;
};

/** Gives up work that waits for an operator; returns whether it waited. */
export const giveUpParkedWork = async (database: Database, kind: WorkKind, id: string): Promise<boolean> => {
  const { table, key, giveUp } = WORK_ROWS[kind];
  const givenUp = await database.$executeRaw`
    UPDATE ${table} SET ${unleased}, ${giveUp} WHERE ${key} = ${id}::uuid AND ${isParked(kind)}`;
  return givenUp > 0;
};
