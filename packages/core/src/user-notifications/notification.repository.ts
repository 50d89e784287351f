import { type NotificationKind, NotificationKindSchema } from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

type Row = Prisma.NotificationGetPayload<object>;

/** A notification that this process has leased. */
export type ClaimedNotification = Row & { kind: NotificationKind; runId: string };

/** How long a message may take before another process may take over what is left of the attempt, in seconds. */
const NOTIFICATION_LEASE_S = 120;

/** What is recorded once for each user and key. */
export interface NewNotification {
  id: string;
  userId: string;
  kind: NotificationKind;
  key: string;
  encryptedContent: string;
  dueAt: Date;
  isHeld: boolean;
  createdAt: Date;
}

/** Inserts notifications; what a user has under the same key already stays as it is. Returns how many are new. */
export const insertNotifications = async (
  tx: Transaction | Database,
  notifications: NewNotification[],
): Promise<number> => {
  const { count } = await tx.notification.createMany({ data: notifications, skipDuplicates: true });
  return count;
};

/** Inserts a notification unless the user has so many of its kind since then; returns whether it was inserted. */
export const insertLimited = (
  database: Database,
  notification: NewNotification,
  { max, since }: { max: number; since: Date },
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    const { userId, kind } = notification;
    // One at a time: the count below has to include what other requests insert.
    await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
    const recent = await tx.notification.count({ where: { userId, kind, createdAt: { gt: since } } });
    return recent < max && (await insertNotifications(tx, [notification])) > 0;
  });

/**
 * Leases what is due of the user who has waited longest: what an attempt before has frozen as a bundle, or else all that
 * is due, as a new bundle. One process at a time claims for a user.
 */
export const claimDueNotifications = async (
  database: Database,
  now: Date,
): Promise<ClaimedNotification[]> => {
  const runId = uuidv7();
  const rows = await database.$queryRaw<Row[]>`
    WITH first AS (
      SELECT due."userId", due."bundleId"
      FROM "Notification" AS due JOIN "User" ON "User"."id" = due."userId"
      WHERE due."state" = 'pending' AND due."dueAt" <= ${now}
        AND (due."leasedUntil" IS NULL OR due."leasedUntil" < now())
      ORDER BY due."dueAt", due."id" LIMIT 1 FOR NO KEY UPDATE OF "User" SKIP LOCKED)
    UPDATE "Notification" AS due
    SET "bundleId" = coalesce(due."bundleId", ${runId}::uuid), "runId" = ${runId}::uuid,
      "leasedUntil" = now() + make_interval(secs => ${NOTIFICATION_LEASE_S}::float8)
    FROM first
    WHERE due."userId" = first."userId" AND due."bundleId" IS NOT DISTINCT FROM first."bundleId"
      AND due."state" = 'pending' AND due."dueAt" <= ${now}
      AND (due."leasedUntil" IS NULL OR due."leasedUntil" < now())
    RETURNING due.*`;
  return rows
    .map((row) => ({ ...row, kind: NotificationKindSchema.parse(row.kind), runId }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
};

type Claimed = readonly Pick<ClaimedNotification, 'id' | 'runId'>[];

const stillClaimed = (claimed: Claimed) => ({
  id: { in: claimed.map(({ id }) => id) },
  ...(claimed[0] && { runId: claimed[0].runId }),
});

/**
 * Renews the lease of those that have not ended yet; returns false when there are none any more: another process took them
 * over, or the user was erased.
 */
export const renewLease = async (database: Database, claimed: Claimed): Promise<boolean> => {
  const ids = claimed.map(({ id }) => id);
  const renewed = await database.$executeRaw`
    UPDATE "Notification" SET "leasedUntil" = now() + make_interval(secs => ${NOTIFICATION_LEASE_S}::float8)
    WHERE "id" = ANY(${ids}::uuid[]) AND "runId" = ${claimed[0]?.runId ?? null}::uuid`;
  return renewed > 0;
};

/** Notes who has notifications; returns false when another process took them over meanwhile. */
export const noteSentTo = async (database: Database, claimed: Claimed, target: string): Promise<boolean> => {
  const { count } = await database.notification.updateMany({
    where: stillClaimed(claimed),
    data: { sentTo: { push: target } },
  });
  return count === claimed.length;
};

/** Ends notifications; what they told is removed. Returns false when another process took them over meanwhile. */
export const endNotifications = async (
  database: Database,
  claimed: Claimed,
  { state, endedAt }: { state: 'sent' | 'dropped'; endedAt: Date },
): Promise<boolean> => {
  const { count } = await database.notification.updateMany({
    where: stillClaimed(claimed),
    data: { state, endedAt, encryptedContent: null, runId: null, leasedUntil: null },
  });
  return count === claimed.length;
};

/**
 * Has notifications wait for the end of quiet hours, to be sent with what comes until then. Those of an earlier attempt
 * stay as they are: a browser may have them already.
 */
export const holdNotifications = async (database: Database, claimed: Claimed, dueAt: Date): Promise<void> => {
  const held = { dueAt, runId: null, leasedUntil: null };
  const first = claimed[0];
  if (first === undefined) return;
  await database.notification.updateMany({
    where: { ...stillClaimed(claimed), bundleId: first.runId },
    data: { ...held, isHeld: true, bundleId: null },
  });
  await database.notification.updateMany({ where: stillClaimed(claimed), data: held });
};

/** Has what waits for the end of quiet hours wait until then. What was attempted before waits as it is. */
export const rescheduleHeldNotifications = async (
  tx: Transaction,
  userId: string,
  dueAt: Date,
): Promise<void> => {
  await tx.notification.updateMany({
    where: { userId, state: 'pending', isHeld: true, bundleId: null },
    data: { dueAt },
  });
};

/** Has notifications sent again later, as they are. */
export const retryNotifications = async (
  database: Database,
  claimed: Claimed,
  dueAt: Date,
): Promise<void> => {
  await database.notification.updateMany({
    where: stillClaimed(claimed),
    data: { dueAt, failures: { increment: 1 }, runId: null, leasedUntil: null },
  });
};

/** Leaves notifications to another process. */
export const releaseNotifications = async (database: Database, claimed: Claimed): Promise<void> => {
  await database.notification.updateMany({
    where: stillClaimed(claimed),
    data: { runId: null, leasedUntil: null },
  });
};

/** Deletes notifications that ended so many days ago; returns how many. */
export const deleteOldNotifications = (database: Database, days: number, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "Notification" WHERE "id" IN (
      SELECT "id" FROM "Notification"
      WHERE "createdAt" < now() - make_interval(days => ${days}::int) AND "state" <> 'pending'
      LIMIT ${limit}::int)`;

/** For how long the notification that has waited longest has been due, in seconds, and how many wait. */
export const measureNotifications = async (
  database: Database,
): Promise<{ pending: number; overdueSeconds: number }> => {
  const [row] = await database.$queryRaw<[{ pending: number; overdueSeconds: number | null }]>`
    SELECT count(*)::int AS "pending",
      extract(epoch FROM now() - min("dueAt") FILTER (WHERE coalesce("leasedUntil", '-infinity') < now()))::float8 AS "overdueSeconds"
    FROM "Notification" WHERE "state" = 'pending'`;
  return { pending: row.pending, overdueSeconds: Math.max(0, row.overdueSeconds ?? 0) };
};
