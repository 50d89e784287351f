import { type Watch, WatchErrorSchema, WatchStateSchema } from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { announceWork, type LeasedWork } from '../due-work/due-work.repository.ts';

export type WatchRow = Prisma.MailboxWatchGetPayload<object>;

/** A watch that this process has leased, and how often its user wants the mailbox checked. */
export type LeasedWatch = WatchRow & {
  leaseId: string;
  everyMinutes: number;
  /** By the clock of the database, which also tells what is due. */
  readNow: Date;
};

interface WatchRunResult {
  dueAt: Date;
  newEmails: number;
  suggested: number;
  /** Where the next run goes on. */
  cursor: Pick<WatchRow, 'historyId' | 'overlapHistoryId' | 'seenEmailIds' | 'readAt'>;
}

/** Why a run came to nothing, and when it is tried again. */
interface WatchPause {
  state: 'waiting' | 'reconnect_required';
  error: string;
  /** null: not before the user has signed in again. */
  dueAt: Date | null;
  /** Whether a sign-in starts the watch again at once. */
  isStopped: boolean;
}

/** Only the first run goes on the trace of the request that started the watch. */
const NEXT_RUN = { traceParent: null };

const OFF: Watch = { state: 'off', error: null, nextRunAt: null, lastRun: null, total: null };

export const findWatch = async (database: Database, userId: string): Promise<Watch> => {
  const row = await database.mailboxWatch.findUnique({ where: { userId } });
  if (row === null) return OFF;
  return {
    state: WatchStateSchema.parse(row.state),
    error: row.error === null ? null : WatchErrorSchema.parse(row.error),
    nextRunAt: row.dueAt?.toISOString() ?? null,
    lastRun: row.lastRunAt && {
      at: row.lastRunAt.toISOString(),
      newEmails: row.lastNewEmails,
      suggested: row.lastSuggested,
    },
    total: { since: row.createdAt.toISOString(), newEmails: row.newEmails, suggested: row.suggested },
  };
};

/**
 * Starts the watch of a user's mailbox with the email that arrives from now on; one that there is already is due at once.
 *
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const startWatch = async (tx: Transaction, userId: string): Promise<void> => {
  const traceParent = currentTraceParent();
  await tx.$executeRaw`
    INSERT INTO "MailboxWatch" ("userId", "traceParent") VALUES (${userId}::uuid, ${traceParent})
    ON CONFLICT ("userId") DO UPDATE SET "dueAt" = now(), "traceParent" = ${traceParent} WHERE "MailboxWatch"."state" = 'active'`;
  await announceWork(tx, 'watch');
};

/** Ends the watch of a user's mailbox; what a run in flight finds is not stored. */
export const endWatch = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.mailboxWatch.deleteMany({ where: { userId } });
};

/** Keeps the watch from ending during the transaction; false without a watch. */
export const lockEnabledWatch = async (tx: Transaction, userId: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`
    SELECT FROM "MailboxWatch" WHERE "userId" = ${userId}::uuid FOR KEY SHARE`;
  return rows.length > 0;
};

/** A watch that is leased to this process; null when it has ended or was taken over. */
export const findLeasedWatch = async (
  database: Database,
  { userId, leaseId }: LeasedWork,
): Promise<LeasedWatch | null> => {
  const [row] = await database.$queryRaw<LeasedWatch[]>`
    SELECT watch.*, preferences."watchEveryMinutes" AS "everyMinutes", now() AS "readNow"
    FROM "MailboxWatch" AS watch JOIN "UserPreferences" AS preferences USING ("userId")
    WHERE watch."userId" = ${userId}::uuid AND watch."leaseId" = ${leaseId}::uuid`;
  return row ?? null;
};

/** Records a run; returns false, with nothing written, when it was taken over or the watch has ended meanwhile. */
export const recordWatchRun = async (
  tx: Transaction,
  { userId, leaseId }: LeasedWatch,
  { dueAt, newEmails, suggested, cursor }: WatchRunResult,
): Promise<boolean> => {
  const { count } = await tx.mailboxWatch.updateMany({
    where: { userId, leaseId },
    data: {
      ...NEXT_RUN,
      ...cursor,
      state: 'active',
      error: null,
      dueAt,
      failures: 0,
      stoppedAt: null,
      lastRunAt: new Date(),
      lastNewEmails: newEmails,
      lastSuggested: suggested,
      newEmails: { increment: newEmails },
      suggested: { increment: suggested },
    },
  });
  return count > 0;
};

/** Records why a run came to nothing; returns false when it was taken over or the watch has ended meanwhile. */
export const pauseWatch = async (
  database: Database | Transaction,
  { userId, leaseId }: LeasedWatch,
  { state, error, dueAt, isStopped }: WatchPause,
): Promise<boolean> => {
  const { count } = await database.mailboxWatch.updateMany({
    where: { userId, leaseId },
    data: {
      ...NEXT_RUN,
      state,
      error,
      dueAt,
      failures: { increment: 1 },
      stoppedAt: isStopped ? new Date() : null,
    },
  });
  return count > 0;
};

/** Has the watches go on whose users have signed in again since they stopped. */
export const resumeWatches = (database: Database): Promise<number> =>
  database.$executeRaw`
    UPDATE "MailboxWatch" AS watch SET "dueAt" = now(), "stoppedAt" = NULL
    FROM "ProviderConnection" AS connection
    WHERE watch."stoppedAt" IS NOT NULL AND connection."userId" = watch."userId"
      AND connection."reauthRequiredAt" IS NULL AND connection."updatedAt" > watch."stoppedAt"`;

/** How many watches there are by state, and for how long the one that has waited longest has been due, in seconds. */
export const measureWatches = async (
  database: Database,
): Promise<{ states: Map<string, number>; overdueSeconds: number }> => {
  const rows = await database.$queryRaw<{ state: string; count: number; overdueSeconds: number | null }[]>`
    SELECT "state", count(*)::int AS "count",
      extract(epoch FROM now() - min("dueAt") FILTER (WHERE coalesce("leasedUntil", '-infinity') < now()))::float8 AS "overdueSeconds"
    FROM "MailboxWatch" GROUP BY "state"`;
  return {
    states: new Map(rows.map(({ state, count }) => [state, count])),
    overdueSeconds: Math.max(0, ...rows.map(({ overdueSeconds }) => overdueSeconds ?? 0)),
  };
};

/** How long watches stay with a listener that does not show itself, in seconds. */
const HELD_S = 90;

/**
 * Takes active watches at providers that may tell of new email, for one process to listen to, and keeps those it has.
 * Watches whose user must sign in again are left out.
 *
 * @param listenerId - of the process
 * @param of.providers - the keys of the providers that may tell
 * @param of.most - how many watches the process may have
 * @returns the users
 */
export const holdWatches = async (
  database: Database,
  listenerId: string,
  { providers, most }: { providers: readonly string[]; most: number },
): Promise<string[]> => {
  const rows = await database.$queryRaw<{ userId: string }[]>`
    UPDATE "MailboxWatch"
    SET "listenerId" = ${listenerId}::uuid, "listenedUntil" = now() + make_interval(secs => ${HELD_S}::float8)
    WHERE "userId" IN (
      SELECT watch."userId"
      FROM "MailboxWatch" AS watch JOIN "ProviderConnection" AS connection USING ("userId")
      WHERE watch."state" = 'active' AND connection."provider" = ANY(${providers}::text[]) AND connection."reauthRequiredAt" IS NULL
        AND (watch."listenerId" = ${listenerId}::uuid OR coalesce(watch."listenedUntil", '-infinity') < now())
      ORDER BY watch."listenerId" = ${listenerId}::uuid DESC NULLS LAST, watch."userId"
      LIMIT ${most}::int FOR NO KEY UPDATE OF watch)
    RETURNING "userId"`;
  return rows.map(({ userId }) => userId);
};

/** Leaves the watches of a process to others. */
export const leaveWatches = async (database: Database, listenerId: string): Promise<void> => {
  await database.mailboxWatch.updateMany({
    where: { listenerId },
    data: { listenerId: null, listenedUntil: null },
  });
};

/**
 * Has an active watch run now.
 *
 * @returns false during a run, which may have read the mailbox too early, and where no watch is active
 */
export const makeWatchDue = async (database: Database, userId: string): Promise<boolean> => {
  const count = await database.$executeRaw`
    UPDATE "MailboxWatch" SET "dueAt" = now()
    WHERE "userId" = ${userId}::uuid AND "state" = 'active' AND coalesce("leasedUntil", '-infinity') < now()`;
  if (count > 0) await announceWork(database, 'watch');
  return count > 0;
};
