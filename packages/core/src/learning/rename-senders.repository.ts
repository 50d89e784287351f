import { type Database, Prisma } from '@mailsweep/database';

/**
 * Gives decisions the sender keys that their cached messages have now, after messages were re-encrypted; other decisions
 * about the same senders as well. Decisions about senders of whom no such message is cached keep the former key: they count
 * for their kind, and no longer for the sender.
 *
 * @returns how many decisions were changed
 */
export const renameLearnedSenders = (database: Database): Promise<number> =>
  database.$transaction(async (tx) => {
    const renamed = await tx.$queryRaw<object[]>`
      SELECT DISTINCT record."userId"::text AS "userId", encode(record."senderKey", 'hex') AS "former",
        encode(message."senderKey", 'hex') AS "current"
      FROM "ActionHistory" AS record JOIN "CachedMessage" AS message
        ON message."userId" = record."userId" AND message."emailId" = record."emailId"
      WHERE record."senderKey" <> message."senderKey"`;
    if (renamed.length === 0) return 0;
    const pairs = Prisma.sql`(
      SELECT "userId", decode("former", 'hex') AS "former", decode("current", 'hex') AS "current"
      FROM jsonb_to_recordset(${JSON.stringify(renamed)}::jsonb) AS pair("userId" uuid, "former" text, "current" text)
    ) AS renamed`;
    await tx.$executeRaw`
      UPDATE "StoppedSuggestion" AS stop SET "senderKey" = renamed."current" FROM ${pairs}
      WHERE stop."userId" = renamed."userId" AND stop."senderKey" = renamed."former" AND NOT EXISTS (
        SELECT FROM "StoppedSuggestion" AS other
        WHERE other."userId" = stop."userId" AND other."senderKey" = renamed."current"
          AND other."action" = stop."action")`;
    await tx.$executeRaw`
      DELETE FROM "SenderAcceptance" AS known USING ${pairs}
      WHERE known."userId" = renamed."userId" AND known."senderKey" = renamed."former"`;
    // The trigger counts the decisions under their new keys.
    return await tx.$executeRaw`
      UPDATE "ActionHistory" AS record SET "senderKey" = renamed."current" FROM ${pairs}
      WHERE record."userId" = renamed."userId" AND record."senderKey" = renamed."former"`;
  });
