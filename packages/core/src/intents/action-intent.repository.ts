import type { Database, Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';
import { MAILBOX_LEASE_SECONDS, type MailboxLease } from '../concurrency/mailbox-lock.repository.ts';
import type { IntendedChanges } from './intended-changes.ts';

/** How long a process that stopped renewing its lease keeps others away from an intent, in seconds. */
const LEASE_SECONDS = 30;

/** Intended changes as stored. */
export interface ActionIntent {
  id: string;
  userId: string;
  changes: IntendedChanges;
  requestedAt: Date;
  /** The key that its request carried. */
  idempotencyKey: string | null;
}

/**
 * Writes intended changes down and leases them to this process.
 *
 * @param idempotencyKey - the key that its request carried
 * @returns undefined when another request holds the mailbox by now; nothing was written then
 */
export const insertActionIntent = async (
  database: Database,
  { userId, holderId }: MailboxLease,
  changes: IntendedChanges,
  requestedAt: Date,
  idempotencyKey: string | null = null,
): Promise<ActionIntent | undefined> => {
  const id = uuidv7();
  const inserted = await database.$executeRaw`
    WITH mailbox AS (
      UPDATE "MailboxLease" SET "leasedUntil" = now() + make_interval(secs => ${MAILBOX_LEASE_SECONDS})
      WHERE "userId" = ${userId}::uuid AND "holderId" = ${holderId}::uuid
      RETURNING "userId")
    INSERT INTO "ActionIntent" ("id", "userId", "plan", "requestedAt", "idempotencyKey", "leasedUntil")
    SELECT ${id}::uuid, "userId", ${JSON.stringify(changes)}::jsonb, ${requestedAt}::timestamptz, ${idempotencyKey},
      now() + make_interval(secs => ${LEASE_SECONDS})
    FROM mailbox`;
  return inserted === 1 ? { id, userId, changes, requestedAt, idempotencyKey } : undefined;
};

/** Keeps other processes away from intents that this one is still at work on. */
export const renewLeases = async (database: Database, ids: string[]): Promise<void> => {
  await database.$executeRaw`
    UPDATE "ActionIntent" SET "leasedUntil" = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE "id" = ANY(${ids}::uuid[])`;
};

/** An intent as stored; its changes are not parsed yet. */
export type FoundIntent = Omit<ActionIntent, 'changes'> & { changes: unknown };

/** Leases abandoned intents to this process, oldest first. */
export const claimAbandonedIntents = (database: Database, limit: number): Promise<FoundIntent[]> =>
  database.$queryRaw<FoundIntent[]>`
    UPDATE "ActionIntent" SET "leasedUntil" = now() + make_interval(secs => ${LEASE_SECONDS})
    WHERE "id" IN (
      SELECT "id" FROM "ActionIntent" WHERE "leasedUntil" < now()
      ORDER BY "leasedUntil" LIMIT ${limit} FOR UPDATE SKIP LOCKED)
    RETURNING "id", "userId", "plan" AS "changes", "requestedAt", "idempotencyKey"`;

/** Lets other processes take intents up at once. */
export const releaseIntents = async (database: Database, ids: string[]): Promise<void> => {
  await database.$executeRaw`UPDATE "ActionIntent" SET "leasedUntil" = now() WHERE "id" = ANY(${ids}::uuid[])`;
};

export const listOpenIntents = (database: Database, userId: string): Promise<FoundIntent[]> =>
  database.$queryRaw<FoundIntent[]>`
    SELECT "id", "userId", "plan" AS "changes", "requestedAt", "idempotencyKey" FROM "ActionIntent"
    WHERE "userId" = ${userId}::uuid ORDER BY "id"`;

/** Locks an intent until the transaction ends; false when another process has recorded it already. */
export const lockIntent = async (tx: Transaction, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<
    unknown[]
  >`SELECT 1 FROM "ActionIntent" WHERE "id" = ${id}::uuid FOR UPDATE`;
  return rows.length === 1;
};

/** Shrinks an intent to the changes that are still pending. */
export const replaceChanges = async (
  tx: Transaction,
  id: string,
  changes: IntendedChanges,
): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "ActionIntent" SET "plan" = ${JSON.stringify(changes)}::jsonb WHERE "id" = ${id}::uuid`;
};

export const deleteIntent = async (tx: Transaction, id: string): Promise<void> => {
  await tx.actionIntent.deleteMany({ where: { id } });
};

/** How many intents are pending, and the age of the oldest, in seconds. */
export const measurePendingIntents = async (
  database: Database,
): Promise<{ count: number; oldestSeconds: number }> => {
  const rows = await database.$queryRaw<[{ count: number; oldestSeconds: number }]>`
    SELECT count(*)::integer AS "count",
      coalesce(greatest(extract(epoch FROM CURRENT_TIMESTAMP - min("requestedAt")), 0), 0)::float8 AS "oldestSeconds"
    FROM "ActionIntent"`;
  return rows[0];
};
