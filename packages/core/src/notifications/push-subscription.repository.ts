import { MAX_PUSH_SUBSCRIPTIONS, type Pagination } from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';

export type PushSubscriptionRow = Prisma.PushSubscriptionGetPayload<object>;
export type NewPushSubscription = Omit<PushSubscriptionRow, 'createdAt'>;

/**
 * Stores a browser's subscription, and replaces an earlier one with the same endpoint, also one of another user.
 *
 * @returns null when the user has as many as they may
 */
export const savePushSubscription = (
  database: Database,
  { id, ...values }: NewPushSubscription,
): Promise<PushSubscriptionRow | null> =>
  database.$transaction(async (tx) => {
    // One at a time: the count below has to include what other requests insert.
    await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${values.userId}::uuid FOR NO KEY UPDATE`;
    const others = await tx.pushSubscription.count({ where: { userId: values.userId, id: { not: id } } });
    if (others >= MAX_PUSH_SUBSCRIPTIONS) return null;
    return await tx.pushSubscription.upsert({ where: { id }, create: { id, ...values }, update: values });
  });

/** All subscriptions of a user, the oldest first. */
export const listPushSubscriptionRows = (
  database: Database,
  userId: string,
): Promise<PushSubscriptionRow[]> =>
  database.pushSubscription.findMany({ where: { userId }, orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] });

/** A page of the subscriptions of a user, newest first. */
export const pagePushSubscriptionRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<{ total: number; rows: PushSubscriptionRow[] }> => {
  const [total, rows] = await database.$transaction([
    database.pushSubscription.count({ where: { userId } }),
    database.pushSubscription.findMany({
      where: { userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, rows };
};

/** Deletes a subscription of a user, if there is one. */
export const deletePushSubscription = async (
  database: Database,
  userId: string,
  id: string,
): Promise<void> => {
  await database.pushSubscription.deleteMany({ where: { userId, id } });
};

/** Deletes all subscriptions of a user. */
export const deleteAllPushSubscriptions = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.pushSubscription.deleteMany({ where: { userId } });
};
