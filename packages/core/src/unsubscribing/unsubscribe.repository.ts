import type { UnsubscribeError } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** What is known about unsubscribing from a sender. */
export interface SenderUnsubscribeRow {
  /** 64 hexadecimal digits. */
  senderId: string;
  /** The newest email that says how to unsubscribe; null where there is none. */
  emailId: string | null;
  encryptedText: string | null;
  /** What became of the request; null where there was none. */
  state: string | null;
  error: string | null;
  status: number | null;
  reachedAt: Date | null;
}

/** A request that this process has leased. */
export interface ClaimedUnsubscribe {
  id: string;
  userId: string;
  encryptedRequest: string;
  /** Calls begun since the user asked, this one included. */
  attempts: number;
}

/** How long a call may take before another process may repeat it, in seconds. */
const LEASE_S = 60;
/** How long a sender has for its last emails, in days; Google gives bulk senders two. */
const GRACE_DAYS = 10;

/** What is known of these senders; one of whom nothing is known is left out. */
export const listSenderUnsubscribes = (
  database: Database | Transaction,
  userId: string,
  senderIds: readonly string[],
): Promise<SenderUnsubscribeRow[]> =>
  readRows<SenderUnsubscribeRow>(
    database,
    Prisma.sql`
    SELECT sender."id" AS "senderId", offer."emailId", offer."encryptedText", request."error", request."status",
      CASE WHEN late."receivedAt" IS NULL THEN request."state" ELSE 'still_sending' END AS "state",
      coalesce(late."receivedAt", request."reachedAt") AS "reachedAt"
    FROM unnest(${senderIds}::text[]) AS sender("id")
    LEFT JOIN "Unsubscribe" AS request
      ON request."userId" = ${userId}::uuid AND request."senderKey" = decode(sender."id", 'hex')
    LEFT JOIN "MailboxSync" AS sync ON sync."userId" = ${userId}::uuid
    LEFT JOIN LATERAL (
      SELECT message."emailId", message."encryptedText" FROM "CachedMessage" AS message
      WHERE message."userId" = ${userId}::uuid AND message."generation" = sync."generation"
        AND message."senderKey" = decode(sender."id", 'hex') AND message."hasUnsubscribe" AND NOT message."isHidden"
      ORDER BY message."receivedAt" DESC LIMIT 1
    ) AS offer ON true
    LEFT JOIN LATERAL (
      SELECT min(message."receivedAt") AS "receivedAt" FROM "CachedMessage" AS message
      WHERE request."state" = 'accepted' AND message."userId" = ${userId}::uuid
        AND message."generation" = sync."generation" AND message."senderKey" = request."senderKey"
        AND NOT message."isHidden"
        AND message."receivedAt" > request."reachedAt" + make_interval(days => ${GRACE_DAYS}::int)
    ) AS late ON true
    WHERE offer."emailId" IS NOT NULL OR request."id" IS NOT NULL`,
  );

/**
 * Stores a request to unsubscribe, in place of an earlier one of the same sender. A `requested` one is due at once.
 */
export const saveUnsubscribe = async (
  tx: Transaction,
  userId: string,
  request: { senderId: string; encryptedRequest: string; state: 'requested' | 'manual' },
): Promise<void> => {
  const { senderId, encryptedRequest, state } = request;
  await tx.$executeRaw`
    INSERT INTO "Unsubscribe" ("id", "userId", "senderKey", "encryptedRequest", "state", "dueAt")
    VALUES (${uuidv7()}::uuid, ${userId}::uuid, decode(${senderId}, 'hex'), ${encryptedRequest}, ${state},
      CASE WHEN ${state} = 'requested' THEN now() END)
    ON CONFLICT ("userId", "senderKey") DO UPDATE SET "id" = EXCLUDED."id",
      "encryptedRequest" = EXCLUDED."encryptedRequest", "state" = EXCLUDED."state", "error" = NULL, "status" = NULL,
      "attempts" = 0, "dueAt" = EXCLUDED."dueAt", "leasedUntil" = NULL, "requestedAt" = now(), "reachedAt" = now()`;
};

/** Has other requests of the same user wait until the transaction ends. */
export const lockUser = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
};

/** Leases the request that has been due the longest; null when none is due. */
export const claimDueUnsubscribe = async (database: Database): Promise<ClaimedUnsubscribe | null> => {
  const [row] = await database.$queryRaw<ClaimedUnsubscribe[]>`
    WITH due AS (
      SELECT "id" FROM "Unsubscribe"
      WHERE "state" = 'requested' AND "dueAt" <= now() AND ("leasedUntil" IS NULL OR "leasedUntil" < now())
      ORDER BY "dueAt" LIMIT 1 FOR UPDATE SKIP LOCKED)
    UPDATE "Unsubscribe" AS request
    SET "attempts" = "attempts" + 1, "leasedUntil" = now() + make_interval(secs => ${LEASE_S}::float8)
    FROM due WHERE request."id" = due."id"
    RETURNING request."id", request."userId", request."encryptedRequest", request."attempts"`;
  return row ?? null;
};

/** Matches only the claimed request: not one that was replaced, or claimed by another worker, in the meantime. */
const isClaimed = ({ id, attempts }: ClaimedUnsubscribe): Prisma.Sql =>
  Prisma.sql`"id" = ${id}::uuid AND "state" = 'requested' AND "attempts" = ${attempts} AND "leasedUntil" IS NOT NULL`;

/** Records the outcome of a call, and what is left of the request: without the address. */
export const finishUnsubscribe = async (
  database: Database,
  claimed: ClaimedUnsubscribe,
  outcome: {
    state: 'accepted' | 'refused';
    error: UnsubscribeError | null;
    status: number | null;
    encryptedRequest: string;
  },
): Promise<void> => {
  const { state, error, status, encryptedRequest } = outcome;
  await database.$executeRaw`
    UPDATE "Unsubscribe" SET "state" = ${state}, "error" = ${error}, "status" = ${status}::int,
      "encryptedRequest" = ${encryptedRequest}, "dueAt" = NULL, "leasedUntil" = NULL, "reachedAt" = now()
    WHERE ${isClaimed(claimed)}`;
};

/** Has a request called again after a while. */
export const postponeUnsubscribe = async (
  database: Database,
  claimed: ClaimedUnsubscribe,
  { waitMs, status }: { waitMs: number; status: number | null },
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "Unsubscribe" SET "status" = ${status}::int, "leasedUntil" = NULL,
      "dueAt" = now() + make_interval(secs => ${waitMs / 1_000}::float8)
    WHERE ${isClaimed(claimed)}`;
};
