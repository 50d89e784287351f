import { type Email, type ProtectionReason, ProtectionReasonSchema } from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import type { EmailIdQuery, Mailbox } from '@mailsweep/mail/mailbox';
import { z } from 'zod';
import { isFrom, type SenderSources } from '../sender-groups/sender-source.repository.ts';
import { protectedListEmails, protectedSenderKeys, writtenToKeys } from './protection.repository.ts';
import { RECEIPT } from './why-protected.ts';

/** Exclusions have to be complete: more emails than any mailbox lists. */
export const NO_LIMIT = 1_000_000;

const ReasonsSchema = z.array(z.object({ emailId: z.string(), reason: ProtectionReasonSchema.nullable() }));

/** Conversations in which the user has written, as far as what they sent is cached. */
const ownThreads = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT own."threadId" FROM "CachedMessage" AS own
  WHERE own."userId" = ${userId}::uuid AND 'SENT' = ANY(own."labels") AND own."threadId" IS NOT NULL`;

/** Snoozed and scheduled emails, as far as {@link readSetAside} has read them. */
const setAsideIds = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT unnest(sync."setAsideIds") FROM "MailboxSync" AS sync WHERE sync."userId" = ${userId}::uuid`;

/**
 * Reads which emails are snoozed or scheduled, by one list, and remembers them for what the cache alone decides.
 *
 * @throws MailboxError when the mailbox can't be read
 */
export const readSetAside = async (
  database: Database,
  mailbox: Mailbox,
  userId: string,
): Promise<Set<string>> => {
  const { emails } = await mailbox.listEmailIds({ scope: 'all', setAside: true }, NO_LIMIT);
  const ids = emails.map(({ id }) => id);
  await database.$executeRaw`
    UPDATE "MailboxSync" SET "setAsideIds" = ${ids}::text[]
    WHERE "userId" = ${userId}::uuid AND "setAsideIds" <> ${ids}::text[]`;
  return new Set(ids);
};

/**
 * Reads some of the newest sent emails. The cache notes whom the user has written to by each sent email that is read.
 *
 * @param query.from - how many of them were read before
 * @throws MailboxError when the mailbox can't be read
 */
export const readSentEmails = async (
  mailbox: Mailbox,
  { from = 0, count, receivedAfter }: { from?: number; count: number } & Pick<EmailIdQuery, 'receivedAfter'>,
): Promise<void> => {
  const sent = await mailbox.listEmailIds({ scope: 'all', labelled: 'sent', receivedAfter }, from + count);
  const ids = sent.emails.slice(from).map(({ id }) => id);
  if (ids.length > 0) await mailbox.findEmails(ids);
};

/** An email of each of these senders that is no newsletter, where it is not known that the user has written to them. */
export const listUnansweredTexts = (
  database: Database,
  userId: string,
  senders: SenderSources,
  limit: number,
): Promise<{ emailId: string; encryptedText: string }[]> =>
  database.$queryRaw`
    SELECT DISTINCT ON (message."senderKey") message."emailId", message."encryptedText"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND NOT message."isHidden" AND NOT message."hasUnsubscribe"
      AND message."senderKey" <> '' AND ${isFrom(senders.keys())}
      AND message."senderKey" NOT IN (${writtenToKeys(userId)})
    LIMIT ${limit}`;

/** Adds to emails that they came by a mailing list that the user has written to: that makes it a discussion. */
export const markDiscussions = async (
  database: Database,
  userId: string,
  emails: readonly Email[],
): Promise<Email[]> => {
  const ids = emails.map(({ id }) => id);
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT "emailId" FROM "CachedMessage" WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${ids}::text[])
      AND "listKey" IN (${writtenToKeys(userId)})`;
  const found = new Set(rows.map(({ emailId }) => emailId));
  return emails.map((email) => (found.has(email.id) ? { ...email, isDiscussion: true } : email));
};

/** Not what they send to many: an answer to a newsletter does not keep all others. */
const writtenTo = (userId: string): Prisma.Sql => Prisma.sql`
    WHEN message."senderKey" IN (${writtenToKeys(userId)}) AND message."emailId" NOT IN (
      SELECT bulk."emailId" FROM "CachedMessage" AS bulk
      WHERE bulk."userId" = ${userId}::uuid AND bulk."hasUnsubscribe" AND bulk."senderKey" IN (${writtenToKeys(userId)})
    ) THEN 'written_to'`;
const chosenSender = (userId: string): Prisma.Sql => Prisma.sql`
    WHEN message."senderKey" = '' THEN 'unclear_sender'
    WHEN message."senderKey" IN (${protectedSenderKeys(userId)}) THEN 'protected'
    WHEN message."emailId" IN (${protectedListEmails(userId)}) THEN 'protected'`;

const hasSuggestion = (suggestions: Prisma.Sql, wanted: { action?: string; classification?: string }) =>
  Prisma.sql`${suggestions} @> ${JSON.stringify([wanted])}::jsonb`;

/**
 * Why a cached message is protected from being cleared away, whatever is suggested for it, in the order of the schema; null
 * when it is not. Of `message` it reads the columns of the index of overviews only.
 */
export const cachedReason = (userId: string): Prisma.Sql => Prisma.sql`
  CASE ${chosenSender(userId)}
    WHEN message."isStarred" THEN 'starred'
    WHEN message."isImportant" THEN 'important'
    WHEN message."emailId" IN (${setAsideIds(userId)}) THEN 'snoozed'
    WHEN message."threadId" IN (${ownThreads(userId)}) THEN 'conversation' ${writtenTo(userId)}
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

/** The reasons that the sender of an email gives. */
export type SenderReason = Extract<ProtectionReason, 'unclear_sender' | 'protected' | 'written_to'>;

/** Which of these reasons `message` has; null for none. */
export const senderReason = (userId: string): Prisma.Sql =>
  Prisma.sql`CASE ${chosenSender(userId)} ${writtenTo(userId)} END`;

/** The same of cached ones of these messages. */
export const listSenderReasons = async (
  database: Database,
  userId: string,
  emailIds: readonly string[],
): Promise<Map<string, SenderReason | null>> => {
  const rows = await database.$queryRaw<{ emailId: string; reason: SenderReason | null }[]>`
    SELECT message."emailId", ${senderReason(userId)} AS "reason"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = ANY(${emailIds}::text[])`;
  return new Map(rows.map(({ emailId, reason }) => [emailId, reason]));
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
