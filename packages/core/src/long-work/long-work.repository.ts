import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** Work that takes minutes or hours and is done in steps (docs/decisions/052). */
export const LONG_WORK_KINDS = ['scan', 'cleanup', 'undo'] as const;
export type LongWorkKind = (typeof LONG_WORK_KINDS)[number];

/** Work whose next step this process takes. */
export interface LeasedWork {
  id: string;
  userId: string;
  leaseId: string;
}

/** How long the work of a process that died stays taken, in seconds. */
export const LEASE_S = 12;
/** Processes in a row that may die during a step, before the work waits for an operator. */
const MAX_CRASHES = 5;
/** Pause after each such process, in seconds, in which the other work that died with it gets ahead. */
const CRASH_PAUSE_S = 5;
/** How long a scan or a cleanup may go without progress before it is given up, in hours. */
const GIVE_UP_H = 24;

const ACTIVE = Prisma.sql`"state" IN ('queued', 'running', 'waiting')`;
const STUCK = Prisma.sql`"progressedAt" < now() - make_interval(hours => ${GIVE_UP_H}::int)`;

/** What gives a scan or a cleanup up. */
const TIMED_OUT = Prisma.sql`"state" = 'failed', "error" = 'timed_out', "finishedAt" = now(), "updatedAt" = now()`;

interface Rows {
  table: Prisma.Sql;
  /** In progress. */
  isActive: Prisma.Sql;
  /** Without progress for too long. */
  isStuck: Prisma.Sql;
  giveUp: Prisma.Sql;
}

/** Where each kind of work is stored, and how its rows are told apart. */
const ROWS: Record<LongWorkKind, Rows> = {
  scan: { table: Prisma.sql`"MailboxScan"`, isActive: ACTIVE, isStuck: STUCK, giveUp: TIMED_OUT },
  cleanup: { table: Prisma.sql`"Cleanup"`, isActive: ACTIVE, isStuck: STUCK, giveUp: TIMED_OUT },
  undo: {
    table: Prisma.sql`"ActionBatch"`,
    isActive: Prisma.sql`"undoState" = 'running'`,
    isStuck: Prisma.sql`false`,
    // What was not undone counts as failed; undoing the batch again tries it once more.
    giveUp: Prisma.sql`"undoState" = 'done', "undoFailed" = "total" - "undone", "updatedAt" = now()`,
  },
};

/** Assignments that make a row due now, for the statements that start its work. */
export const dueNow = Prisma.sql`"dueAt" = now(), "crashes" = 0`;

/** The Postgres channel on which due work is announced; the payload is its kind. */
export const LONG_WORK_CHANNEL = 'mailsweep_long_work';

/** Wakes idle workers. One that does not hear of it looks by itself within a second. */
export const announceWork = async (database: Database | Transaction, kind: LongWorkKind): Promise<void> => {
  await database.$executeRaw`SELECT pg_notify(${LONG_WORK_CHANNEL}, ${kind})`;
};

/**
 * Leases the work that has been due the longest; null when none is due. A lease that has run out is that of a crash. Times
 * are stored in whole milliseconds, so that "now" may be rounded up.
 */
export const claimDueWork = async (database: Database, kind: LongWorkKind): Promise<LeasedWork | null> => {
  const { table, isActive, isStuck } = ROWS[kind];
  const [claimed] = await database.$queryRaw<LeasedWork[]>`
    WITH due AS (
      SELECT "id" FROM ${table}
      WHERE ${isActive} AND NOT ${isStuck} AND "dueAt" < now() + interval '1 ms' AND "crashes" < ${MAX_CRASHES}::int
        AND ("leasedUntil" IS NULL
          OR "leasedUntil" < now() - make_interval(secs => "crashes" * ${CRASH_PAUSE_S}::float8))
      ORDER BY "dueAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE ${table} AS work
    SET "leaseId" = ${uuidv7()}::uuid, "leasedUntil" = now() + make_interval(secs => ${LEASE_S}::float8),
      "crashes" = "crashes" + CASE WHEN "leasedUntil" IS NULL THEN 0 ELSE 1 END
    FROM due WHERE work."id" = due."id"
    RETURNING work."id", work."userId", work."leaseId"`;
  return claimed ?? null;
};

/** Keeps work leased while a step is taken. */
export const renewLease = async (
  database: Database,
  kind: LongWorkKind,
  { id, leaseId }: LeasedWork,
): Promise<void> => {
  await database.$executeRaw`
    UPDATE ${ROWS[kind].table} SET "leasedUntil" = now() + make_interval(secs => ${LEASE_S}::float8)
    WHERE "id" = ${id}::uuid AND "leaseId" = ${leaseId}::uuid`;
};

/** Ends the lease of a step, unless another process has taken the work over; the next one is due after a while. */
export const releaseWork = async (
  database: Database,
  kind: LongWorkKind,
  { id, leaseId }: LeasedWork,
  waitMs: number,
): Promise<void> => {
  await database.$executeRaw`
    UPDATE ${ROWS[kind].table} SET "leaseId" = NULL, "leasedUntil" = NULL, "crashes" = 0,
      "dueAt" = now() + make_interval(secs => ${waitMs / 1_000}::float8)
    WHERE "id" = ${id}::uuid AND "leaseId" = ${leaseId}::uuid`;
};

/** Gives up what has not got on for a day; returns how much. */
export const giveUpStuckWork = (database: Database, kind: LongWorkKind): Promise<number> => {
  const { table, isActive, isStuck, giveUp } = ROWS[kind];
  return database.$executeRaw`UPDATE ${table} SET ${giveUp} WHERE ${isActive} AND ${isStuck}`;
};

/** How much work of a kind is in progress, and how much waits for an operator. */
export const countWork = async (
  database: Database,
  kind: LongWorkKind,
): Promise<{ active: number; parked: number }> => {
  const { table, isActive } = ROWS[kind];
  const [counts] = await database.$queryRaw<[{ active: number; parked: number }]>`
    SELECT count(*) FILTER (WHERE "crashes" < ${MAX_CRASHES}::int)::int AS "active",
      count(*) FILTER (WHERE "crashes" >= ${MAX_CRASHES}::int)::int AS "parked"
    FROM ${table} WHERE ${isActive}`;
  return counts;
};

/** Work of a kind that waits for an operator, since too many processes died of it. */
export const listParkedWork = (
  database: Database,
  kind: LongWorkKind,
): Promise<{ id: string; crashes: number; updatedAt: Date }[]> => {
  const { table, isActive } = ROWS[kind];
  return database.$queryRaw`
    SELECT "id", "crashes", "updatedAt" FROM ${table}
    WHERE ${isActive} AND "crashes" >= ${MAX_CRASHES}::int ORDER BY "updatedAt"`;
};

/** Has work that waits for an operator taken up again; returns whether it waited. */
export const resumeParkedWork = async (
  database: Database,
  kind: LongWorkKind,
  id: string,
): Promise<boolean> => {
  const { table, isActive } = ROWS[kind];
  const resumed = await database.$executeRaw`
    UPDATE ${table} SET ${dueNow}, "leaseId" = NULL, "leasedUntil" = NULL
    WHERE "id" = ${id}::uuid AND ${isActive} AND "crashes" >= ${MAX_CRASHES}::int`;
  return resumed > 0;
};

/** Gives up work that waits for an operator; returns whether it waited. */
export const giveUpParkedWork = async (
  database: Database,
  kind: LongWorkKind,
  id: string,
): Promise<boolean> => {
  const { table, isActive, giveUp } = ROWS[kind];
  const givenUp = await database.$executeRaw`
    UPDATE ${table} SET ${giveUp} WHERE "id" = ${id}::uuid AND ${isActive} AND "crashes" >= ${MAX_CRASHES}::int`;
  return givenUp > 0;
};
