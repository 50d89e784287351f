import { MAX_PROTECTED_SENDERS, type Pagination } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { v7 as uuidv7 } from 'uuid';

/** A protected sender as it is stored. */
export interface ProtectionRow {
  id: string;
  senderKey: Uint8Array;
  encryptedSender: string;
  createdAt: Date;
}

const LISTED = { id: true, senderKey: true, encryptedSender: true, createdAt: true } as const;

/** What is stored of a sender: their id, and the encrypted text that {@link readSender} reads. */
export interface NewProtection {
  /** 64 hexadecimal digits. */
  senderId: string;
  encryptedSender: string;
}

/** While keys are rotated, a sender may still be known by the former id. */
const ofSender = (userId: string, senderId: string) => {
  const key = new Uint8Array(Buffer.from(senderId, 'hex'));
  return { userId, OR: [{ senderKey: key }, { formerKey: key }] };
};

/** The user's protection of a sender; null when there is none. */
export const findProtectionRow = (
  database: Database,
  userId: string,
  senderId: string,
): Promise<ProtectionRow | null> =>
  database.protection.findFirst({ where: ofSender(userId, senderId), select: LISTED });

/**
 * Protects a sender, unless the user has protected as many as they may.
 *
 * @returns whether the sender is protected now
 */
export const insertProtection = async (
  database: Database,
  userId: string,
  { senderId, encryptedSender }: NewProtection,
): Promise<boolean> =>
  database.$transaction(async (tx) => {
    // One at a time: the count below has to include what other requests insert.
    await tx.$queryRaw`SELECT FROM "User" WHERE "id" = ${userId}::uuid FOR NO KEY UPDATE`;
    if ((await tx.protection.count({ where: { userId } })) >= MAX_PROTECTED_SENDERS) return false;
    await tx.$executeRaw`
      INSERT INTO "Protection" ("id", "userId", "senderKey", "encryptedSender")
      VALUES (${uuidv7()}::uuid, ${userId}::uuid, decode(${senderId}, 'hex'), ${encryptedSender})
      ON CONFLICT ("userId", "senderKey") DO NOTHING`;
    return true;
  });

/** Ends the protection of a sender, if there is one. */
export const deleteProtection = async (
  database: Database,
  userId: string,
  senderId: string,
): Promise<void> => {
  await database.protection.deleteMany({ where: ofSender(userId, senderId) });
};

/** A page of the protected senders, newest first. */
export const listProtectionRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<{ total: number; rows: ProtectionRow[] }> => {
  const [total, rows] = await database.$transaction([
    database.protection.count({ where: { userId } }),
    database.protection.findMany({
      where: { userId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
      select: LISTED,
    }),
  ]);
  return { total, rows };
};

/**
 * The senders that are protected, encrypted, by the reason.
 *
 * @param since - only those since then
 */
export const listProtectedSenders = async (
  database: Database,
  userId: string,
  since?: Date,
): Promise<Record<'protected' | 'written_to', { encryptedSender: string }[]>> => {
  const where = { userId, ...(since && { createdAt: { gte: since } }) };
  return {
    written_to: await database.writtenTo.findMany({ where }),
    protected: await database.protection.findMany({ where }),
  };
};

/** The newest cached message of a sender. */
export const findNewestMessage = async (
  database: Database,
  userId: string,
  senderId: string,
): Promise<{ emailId: string; encryptedText: string } | undefined> => {
  const [newest] = await database.$queryRaw<{ emailId: string; encryptedText: string }[]>`
    SELECT message."emailId", message."encryptedText"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."senderKey" = decode(${senderId}, 'hex')
    ORDER BY message."receivedAt" DESC LIMIT 1`;
  return newest;
};

/** The newest cached message of each sender. */
export const listNewestMessages = (
  database: Database,
  userId: string,
): Promise<{ senderId: string; emailId: string; encryptedText: string }[]> =>
  database.$queryRaw`
    SELECT DISTINCT ON (message."senderKey") encode(message."senderKey", 'hex') AS "senderId", message."emailId",
      message."encryptedText"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."senderKey" <> ''
    ORDER BY message."senderKey", message."receivedAt" DESC`;

/** The keys of a table, also those that messages still have while keys are rotated. */
const keysOf = (table: 'Protection' | 'WrittenTo', userId: string): Prisma.Sql => Prisma.sql`
  SELECT unnest(array_remove(ARRAY["senderKey", "formerKey"], NULL))
  FROM ${Prisma.raw(`"${table}"`)} WHERE "userId" = ${userId}::uuid`;

/** The sender keys of the addresses that the user has written to, among them those of mailing lists. */
export const writtenToKeys = (userId: string): Prisma.Sql => keysOf('WrittenTo', userId);

/** The sender keys of protected senders, and of those who are protected by another name, such as their domain. */
export const protectedSenderKeys = (userId: string): Prisma.Sql => Prisma.sql`
  ${keysOf('Protection', userId)}
  UNION ALL
  SELECT named."senderKey" FROM "SenderName" AS named
  WHERE named."userId" = ${userId}::uuid AND named."nameKey" IN (${keysOf('Protection', userId)})`;

/** What the key of a protected mailing list begins with, in place of what the key of its messages does (`LISTED`). */
const LIST_MARK = Prisma.sql`'\\xffffffffffffffff'::bytea`;

/** Whether a key of messages, null for none, is that of a protected mailing list. */
export const isProtectedList = (userId: string, listKey: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (${LIST_MARK} || substring(${listKey} FROM 9) IN (${keysOf('Protection', userId)})) IS TRUE`;

/** The emails of protected mailing lists. Where none is protected, no email is looked at. */
export const protectedListEmails = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT listed."emailId" FROM "CachedMessage" AS listed
  WHERE listed."userId" = ${userId}::uuid AND ${isProtectedList(userId, Prisma.sql`listed."listKey"`)} AND EXISTS (
    SELECT FROM "Protection" WHERE "userId" = ${userId}::uuid AND "senderKey" > ${LIST_MARK})`;

/** Those of these senders whose email automatic actions leave alone, whatever it is. */
export const listSparedSenders = async (
  database: Database,
  userId: string,
  senderIds: readonly string[],
): Promise<Set<string>> => {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT asked."id" FROM (SELECT "id", decode("id", 'hex') AS "key" FROM unnest(${senderIds}::text[]) AS ids("id")) AS asked
    WHERE asked."key" IN (${protectedSenderKeys(userId)})
      OR (asked."key" IN (${writtenToKeys(userId)}) AND NOT EXISTS (
        SELECT FROM "CachedMessage" AS bulk
        WHERE bulk."userId" = ${userId}::uuid AND bulk."hasUnsubscribe" AND bulk."senderKey" = asked."key"))`;
  return new Set(rows.map(({ id }) => id));
};
