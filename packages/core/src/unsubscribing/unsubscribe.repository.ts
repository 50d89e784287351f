import type { UnsubscribeCounts, UnsubscribeError } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { announceWork, type LeasedWork } from '../due-work/due-work.repository.ts';

const UnsubscribeRequestSchema = z.object({
  /** Name and address of the sender. */
  from: z.string(),
  /** The address to call; it often has a token of the user in it. */
  url: z.string().optional(),
  /** The host that was called, once there is no address. */
  host: z.string().optional(),
});
type UnsubscribeRequest = z.infer<typeof UnsubscribeRequestSchema>;

const ownerOf = (userId: string): string => `${userId}\nunsubscribe`;

/** A request as it is stored: encrypted, and bound to the user. */
export const writeUnsubscribeRequest = (
  cipher: TextCipher,
  userId: string,
  request: UnsubscribeRequest,
): string => cipher.encrypt(JSON.stringify(request), ownerOf(userId));

/** A stored request; undefined where the key is gone. */
export const readUnsubscribeRequest = (
  cipher: TextCipher,
  userId: string,
  encryptedRequest: string,
): UnsubscribeRequest | undefined => {
  try {
    return UnsubscribeRequestSchema.parse(JSON.parse(cipher.decrypt(encryptedRequest, ownerOf(userId))));
  } catch {
    return undefined;
  }
};

export interface SenderUnsubscribeRow {
  /** 64 hexadecimal digits. */
  senderId: string;
  /** Emails that say how to unsubscribe, newest first: those with a signature, and the newest of all. */
  offering: { emailId: string; encryptedText: string }[];
  /** What became of the request; null where there was none. */
  state: string | null;
  error: string | null;
  status: number | null;
  reachedAt: Date | null;
}

/** How long a sender has for its last emails, in days; Google gives bulk senders two. */
const GRACE_DAYS = 10;

/** Most emails with a signature that are read of a sender. */
const MAX_SIGNED = 10;

/** The emails of `sender` that say how to unsubscribe, newest first. */
const offering = (userId: string, condition: Prisma.Sql): Prisma.Sql => Prisma.sql`
  SELECT "emailId", "encryptedText", "receivedAt" FROM "CachedMessage"
  WHERE "userId" = ${userId}::uuid AND "senderKey" = decode(sender."id", 'hex') AND ${condition} AND NOT "isHidden"
  ORDER BY "receivedAt" DESC`;

/** Whether a cached `message` came after the grace of an accepted `request`, wherever it was put. */
const isLate = (userId: string): Prisma.Sql => Prisma.sql`
  request."state" = 'accepted' AND message."userId" = ${userId}::uuid
  AND message."senderKey" = request."senderKey"
  AND message."receivedAt" > request."reachedAt" + make_interval(days => ${GRACE_DAYS}::int)`;

const isStillSending = (userId: string): Prisma.Sql => Prisma.sql`
  EXISTS (SELECT FROM "CachedMessage" AS message WHERE ${isLate(userId)})`;

/** The keys of senders who accepted a request and send on. */
export const stillSendingKeys = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT request."senderKey" FROM "Unsubscribe" AS request
  WHERE request."userId" = ${userId}::uuid AND ${isStillSending(userId)}`;

/** What senders did who accepted a request; undefined where none did. */
export const countUnsubscribes = async (
  database: Database,
  userId: string,
): Promise<UnsubscribeCounts | undefined> => {
  const [row] = await database.$queryRaw<UnsubscribeCounts[]>`
    SELECT (count(*) FILTER (WHERE accepted."isLate"))::int AS "stillSending",
      (count(*) FILTER (WHERE NOT accepted."isLate" AND accepted."isOver"))::int AS "stopped",
      (count(*) FILTER (WHERE NOT accepted."isLate" AND NOT accepted."isOver"))::int AS "waiting"
    FROM (
      SELECT ${isStillSending(userId)} AS "isLate",
        now() > request."reachedAt" + make_interval(days => ${GRACE_DAYS}::int) AS "isOver"
      FROM "Unsubscribe" AS request
      WHERE request."userId" = ${userId}::uuid AND request."state" = 'accepted'
    ) AS accepted
    HAVING count(*) > 0`;
  return row;
};

/** What is known of these senders; others are left out. */
export const listSenderUnsubscribes = (
  database: Database | Transaction,
  userId: string,
  senderIds: readonly string[],
): Promise<SenderUnsubscribeRow[]> =>
  readRows<SenderUnsubscribeRow>(
    database,
    Prisma.sql`
    SELECT sender."id" AS "senderId", coalesce(offer."offering", '[]') AS "offering", request."error", request."status",
      CASE WHEN late."receivedAt" IS NULL THEN request."state" ELSE 'still_sending' END AS "state",
      coalesce(late."receivedAt", request."reachedAt") AS "reachedAt"
    FROM unnest(${senderIds}::text[]) AS sender("id")
    LEFT JOIN "Unsubscribe" AS request
      ON request."userId" = ${userId}::uuid AND request."senderKey" = decode(sender."id", 'hex')
    LEFT JOIN LATERAL (
      SELECT jsonb_agg(jsonb_build_object('emailId', "emailId", 'encryptedText', "encryptedText")
        ORDER BY "receivedAt" DESC) AS "offering"
      FROM (
        (${offering(userId, Prisma.sql`"hasSignedUnsubscribe"`)} LIMIT ${MAX_SIGNED})
        UNION
        (${offering(userId, Prisma.sql`"hasUnsubscribe"`)} LIMIT 1)) AS offering
    ) AS offer ON true
    LEFT JOIN LATERAL (
      SELECT min(message."receivedAt") AS "receivedAt" FROM "CachedMessage" AS message WHERE ${isLate(userId)}
    ) AS late ON true
    WHERE offer."offering" IS NOT NULL OR request."id" IS NOT NULL`,
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

/** The hosts that a user's requests to unsubscribe were sent to, as far as they were kept. */
export const listUnsubscribeHosts = async (
  database: Database,
  cipher: TextCipher,
  userId: string,
): Promise<string[]> => {
  const rows = await database.unsubscribe.findMany({
    where: { userId, attempts: { gt: 0 } },
    select: { encryptedRequest: true },
    orderBy: { reachedAt: 'desc' },
  });
  const hosts = rows.map(({ encryptedRequest }) => {
    const request = readUnsubscribeRequest(cipher, userId, encryptedRequest);
    return request?.url === undefined ? request?.host : new URL(request.url).host;
  });
  return [...new Set(hosts.filter((host) => host !== undefined))];
};

/** Has other requests of the same user wait until the transaction ends. */
export const lockUser = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
};

/** A request that is leased to this process; null when it was replaced or taken over. */
export const findLeasedUnsubscribe = (
  database: Database,
  { id, leaseId }: LeasedWork,
): Promise<{ encryptedRequest: string; attempts: number; status: number | null } | null> =>
  database.unsubscribe.findFirst({
    where: { id, leaseId, state: 'requested' },
    select: { encryptedRequest: true, attempts: true, status: true },
  });

/** Records the outcome of a call, and drops the address from the request. */
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

/** Records a call that will be repeated. */
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
