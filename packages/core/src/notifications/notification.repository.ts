import { type NotificationKind, NotificationKindSchema } from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { announceWork, type LeasedWork } from '../due-work/due-work.repository.ts';

type Row = Prisma.NotificationGetPayload<object>;

/** A notification that this process has leased. */
export type LeasedNotification = Row & { kind: NotificationKind; leaseId: string };

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
  const traceParent = currentTraceParent();
  const data = notifications.map((notification) => ({ ...notification, traceParent }));
  const { count } = await tx.notification.createMany({ data, skipDuplicates: true });
  if (count > 0) await announceWork(tx, 'notification');
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
 * What is leased to this process of a user, in bundles: what an attempt before has frozen, and the rest as a new one. What
 * another process has taken over is left out.
 */
export const bundleNotifications = async (
  database: Database,
  { userId, leaseId }: LeasedWork,
): Promise<LeasedNotification[][]> => {
  const rows = await database.$queryRaw<Row[]>`
    UPDATE "Notification" SET "bundleId" = coalesce("bundleId", "leaseId")
    WHERE "userId" = ${userId}::uuid AND "leaseId" = ${leaseId}::uuid RETURNING *`;
  const leased = rows
    .map((row) => ({ ...row, kind: NotificationKindSchema.parse(row.kind), leaseId }))
    .toSorted((one, other) => (one.id < other.id ? -1 : 1));
  return [...Map.groupBy(leased, ({ bundleId }) => bundleId).values()];
};

type Leased = readonly Pick<LeasedNotification, 'id' | 'leaseId'>[];

const stillLeased = (leased: Leased) => ({
  id: { in: leased.map(({ id }) => id) },
  ...(leased[0] && { leaseId: leased[0].leaseId }),
});

/** What ends the lease of some of the notifications that were leased together. */
const UNLEASED = { leaseId: null, leasedUntil: null, crashes: 0 };

/** Notes who has notifications; returns false when another process took them over meanwhile. */
export const noteSentTo = async (database: Database, leased: Leased, target: string): Promise<boolean> => {
  const { count } = await database.notification.updateMany({
    where: stillLeased(leased),
    data: { sentTo: { push: target } },
  });
  return count === leased.length;
};

/** Ends notifications; what they told is removed. Returns false when another process took them over meanwhile. */
export const endNotifications = async (
  database: Database,
  leased: Leased,
  { state, endedAt }: { state: 'sent' | 'dropped'; endedAt: Date },
): Promise<boolean> => {
  const { count } = await database.notification.updateMany({
    where: stillLeased(leased),
    data: { state, endedAt, encryptedContent: null, ...UNLEASED },
  });
  return count === leased.length;
};

/**
 * Has notifications wait for the end of quiet hours, to be sent with what comes until then. Those of an earlier attempt
 * stay as they are: a browser may have them already.
 */
export const holdNotifications = async (database: Database, leased: Leased, dueAt: Date): Promise<void> => {
  const held = { dueAt, ...UNLEASED };
  const first = leased[0];
  if (first === undefined) return;
  await database.notification.updateMany({
    where: { ...stillLeased(leased), bundleId: first.leaseId },
    data: { ...held, isHeld: true, bundleId: null },
  });
  await database.notification.updateMany({ where: stillLeased(leased), data: held });
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
export const retryNotifications = async (database: Database, leased: Leased, dueAt: Date): Promise<void> => {
  await database.notification.updateMany({
    where: stillLeased(leased),
    data: { dueAt, failures: { increment: 1 }, ...UNLEASED },
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
