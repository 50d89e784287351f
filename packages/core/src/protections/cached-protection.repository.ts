import { type ProtectionReason, ProtectionReasonSchema } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { z } from 'zod';
import { protectedSenderKeys } from './protection.repository.ts';
import { RECEIPT } from './why-protected.ts';

const ReasonsSchema = z.array(z.object({ emailId: z.string(), reason: ProtectionReasonSchema.nullable() }));

/** Conversations in which the user has written, as far as what they sent is cached. */
const ownThreads = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT own."threadId" FROM "CachedMessage" AS own
  WHERE own."userId" = ${userId}::uuid AND 'SENT' = ANY(own."labels") AND own."threadId" IS NOT NULL`;

const hasSuggestion = (suggestions: Prisma.Sql, wanted: { action?: string; classification?: string }) =>
  Prisma.sql`${suggestions} @> ${JSON.stringify([wanted])}::jsonb`;

/**
 * Why a cached message is protected from being cleared away, whatever is suggested for it, in the order of the schema; null
 * when it is not. Of `message` it reads the columns of the index of overviews only.
 */
export const cachedReason = (userId: string): Prisma.Sql => Prisma.sql`
  CASE
    WHEN message."senderKey" IN (${protectedSenderKeys(userId)}) THEN 'protected'
    WHEN message."isStarred" THEN 'starred'
    WHEN message."isImportant" THEN 'important'
    WHEN message."threadId" IN (${ownThreads(userId)}) THEN 'conversation'
    WHEN message."isInvitation" THEN 'invitation'
  END`;

/**
 * Why cached ones of these messages are protected from being cleared away, whatever is suggested for them; those that are
 * not have no entry.
 */
export const listCachedReasons = async (
  database: Database | Transaction,
  userId: string,
  emailIds: readonly string[],
): Promise<Map<string, ProtectionReason>> => {
  const rows = await database.$queryRaw<{ emailId: string; reason: string | null }[]>`
    SELECT message."emailId", ${cachedReason(userId)} AS "reason"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = ANY(${emailIds}::text[])`;
  const reasons = ReasonsSchema.parse(rows);
  return new Map(reasons.flatMap(({ emailId, reason }) => (reason === null ? [] : [[emailId, reason]])));
};

/** Whether the senders of cached ones of these messages are protected. */
export const listSenderProtection = async (
  database: Database,
  userId: string,
  emailIds: readonly string[],
): Promise<Map<string, boolean>> => {
  const rows = await database.$queryRaw<{ emailId: string; isProtected: boolean }[]>`
    SELECT message."emailId", message."senderKey" IN (${protectedSenderKeys(userId)}) AS "isProtected"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = ANY(${emailIds}::text[])`;
  return new Map(rows.map(({ emailId, isProtected }) => [emailId, isProtected]));
};

/** Whether stored suggestions keep an email from being cleared away, as `isNoticed` tells it. */
export const hasNotice = (suggestions: Prisma.Sql): Prisma.Sql =>
  Prisma.sql`(${hasSuggestion(suggestions, { action: 'notify' })} OR ${hasSuggestion(suggestions, { classification: RECEIPT })})`;

/**
 * The emails that the classification service wants the user to notice, and those that it calls receipts: `emailId`,
 * `isNotify` and `isReceipt`.
 */
export const noticedEmails = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT stored."emailId",
    ${hasSuggestion(Prisma.sql`stored."suggestions"`, { action: 'notify' })} AND NOT EXISTS (
      SELECT FROM "ActionHistory" AS confirmation
      WHERE confirmation."userId" = ${userId}::uuid AND confirmation."emailId" = stored."emailId"
        AND confirmation."source" = 'suggestions' AND confirmation."undoneAt" IS NULL
        AND confirmation."timestamp" >= stored."generatedAt") AS "isNotify",
    ${hasSuggestion(Prisma.sql`stored."suggestions"`, { classification: RECEIPT })} AS "isReceipt"
  FROM "EmailSuggestion" AS stored
  WHERE stored."userId" = ${userId}::uuid`;

/**
 * Lists `noticedEmails`.
 *
 * @param emailIds - of these emails; of all when left out
 */
export const listNoticed = async (
  database: Database,
  userId: string,
  emailIds?: readonly string[],
): Promise<{ notify: Set<string>; receipt: Set<string> }> => {
  const rows = await database.$queryRaw<{ emailId: string; isNotify: boolean; isReceipt: boolean }[]>`
    SELECT * FROM (
      ${noticedEmails(userId)}
        ${emailIds === undefined ? Prisma.empty : Prisma.sql`AND stored."emailId" = ANY(${emailIds}::text[])`}) AS noticed
    WHERE "isNotify" OR "isReceipt"`;
  const idsOf = (isMeant: (row: (typeof rows)[number]) => boolean) =>
    new Set(rows.filter(isMeant).map(({ emailId }) => emailId));
  return { notify: idsOf(({ isNotify }) => isNotify), receipt: idsOf(({ isReceipt }) => isReceipt) };
};
