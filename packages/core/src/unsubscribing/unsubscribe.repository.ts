import type { UnsubscribeError } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import { announceWork, type LeasedWork } from '../due-work/due-work.repository.ts';

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
    INSERT INTO "Unsubscribe" ("id", "userId", "senderKey", "encryptedRequest", "state", "dueAt", "traceParent")
    VALUES (${uuidv7()}::uuid, ${userId}::uuid, decode(${senderId}, 'hex'), ${encryptedRequest}, ${state},
      CASE WHEN ${state} = 'requested' THEN now() END, ${currentTraceParent()})
    ON CONFLICT ("userId", "senderKey") DO UPDATE SET "id" = EXCLUDED."id",
      "encryptedRequest" = EXCLUDED."encryptedRequest", "state" = EXCLUDED."state", "error" = NULL, "status" = NULL,
      "attempts" = 0, "dueAt" = EXCLUDED."dueAt", "leaseId" = NULL, "leasedUntil" = NULL, "crashes" = 0,
      "requestedAt" = now(), "reachedAt" = now(), "traceParent" = EXCLUDED."traceParent"`;
  if (state === 'requested') await announceWork(tx, 'unsubscribe');
};

/** Has other requests of the same user wait until the transaction ends. */
export const lockUser = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
};

/** A request that is leased to this process; null when it was replaced or taken over. */
export const findLeasedUnsubscribe = (
  database: Database,
  { id, leaseId }: LeasedWork,
): Promise<{ encryptedRequest: string; attempts: number } | null> =>
  database.unsubscribe.findFirst({
    where: { id, leaseId, state: 'requested' },
    select: { encryptedRequest: true, attempts: true },
  });

/** Records the outcome of a call, and what is left of the request: without the address. */
export const finishUnsubscribe = async (
  database: Database,
  { id, leaseId }: LeasedWork,
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
      "encryptedRequest" = ${encryptedRequest}, "attempts" = "attempts" + 1, "dueAt" = NULL, "reachedAt" = now()
    WHERE "id" = ${id}::uuid AND "leaseId" = ${leaseId}::uuid`;
};

/** Records a call that is to be repeated. */
export const recordUnsubscribeAttempt = async (
  database: Database,
  { id, leaseId }: LeasedWork,
  status: number | null,
): Promise<void> => {
  await database.unsubscribe.updateMany({
    where: { id, leaseId },
    data: { status, attempts: { increment: 1 } },
  });
};
