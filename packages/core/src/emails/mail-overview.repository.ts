import { type Pagination, type SenderSort, type Suggestion, SuggestionSchema } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { z } from 'zod';

/** What there is from one sender. */
export interface SenderRow {
  senderKey: Buffer;
  mails: number;
  inInbox: number;
  unread: number;
  bytes: number;
  lastSeen: Date;
  suggested: number;
  /** The newest mail. */
  emailId: string;
  encryptedText: string;
}

/** A cached message with its open suggestions. */
export interface KeptEmailRow {
  emailId: string;
  threadId: string | null;
  labels: string[];
  receivedAt: Date;
  sizeBytes: number;
  attachmentCount: number;
  attachmentBytes: number;
  encryptedText: string;
  suggestions: Suggestion[];
}

const SORTS: Record<SenderSort, Prisma.Sql> = {
  mails: Prisma.sql`"mails"`,
  unread: Prisma.sql`"unread"`,
  bytes: Prisma.sql`"bytes"`,
  lastSeen: Prisma.sql`"lastSeen"`,
  suggested: Prisma.sql`"suggested"`,
};

const OpenSuggestionsSchema = z.array(SuggestionSchema).nullable();

/**
 * Kept messages with their open suggestions: null for none. What is stored for an email was open when it was stored;
 * only a confirmation given since, and not taken back, ends that. Archiving what has left the inbox is nothing to suggest.
 */
export const fromKeptMail = (userId: string): Prisma.Sql => Prisma.sql`
  FROM "MailboxSync" AS sync
  JOIN "CachedMessage" AS message
    ON message."userId" = sync."userId" AND message."generation" = sync."generation"
  LEFT JOIN (
    SELECT stored."emailId", stored."suggestions" FROM "EmailSuggestion" AS stored
    WHERE stored."userId" = ${userId}::uuid AND NOT EXISTS (
      SELECT FROM "ActionHistory" AS confirmation
      WHERE confirmation."userId" = ${userId}::uuid AND confirmation."emailId" = stored."emailId"
        AND confirmation."action" IN ('accept', 'reject') AND confirmation."undoneAt" IS NULL
        AND confirmation."timestamp" >= stored."generatedAt")
  ) AS open ON open."emailId" = message."emailId"
    AND (open."suggestions"->0->>'action' <> 'archive' OR message."isInInbox")
  WHERE sync."userId" = ${userId}::uuid AND NOT message."isHidden"`;

/*
 * Statements that go through all cached messages of a mailbox read nothing but the columns of the index
 * "CachedMessage_userId_senderKey_idx"; texts and labels are fetched for the page that is shown.
 */

/** A page of the senders of cached email, the first by `sort` first, and how many there are. */
export const listSenderRows = async (
  database: Database,
  userId: string,
  { page, perPage, sort }: Pagination & { sort: SenderSort },
): Promise<{ total: number; rows: SenderRow[] }> => {
  const order = Prisma.sql`${SORTS[sort]} DESC, "senderKey"`;
  const rows = await database.$queryRaw<(SenderRow & { total: number })[]>`
    WITH sender AS MATERIALIZED (
      SELECT message."senderKey", count(*)::int AS "mails",
        (count(*) FILTER (WHERE message."isInInbox"))::int AS "inInbox",
        (count(*) FILTER (WHERE message."isUnread"))::int AS "unread",
        sum(message."sizeBytes")::float8 AS "bytes", max(message."receivedAt") AS "lastSeen",
        count(open."emailId")::int AS "suggested"
      ${fromKeptMail(userId)}
      GROUP BY message."senderKey")
    SELECT totals."total", shown.*, newest."emailId", text."encryptedText"
    FROM (SELECT count(*)::int AS "total" FROM sender) AS totals
    LEFT JOIN (SELECT * FROM sender ORDER BY ${order} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}) AS shown ON true
    LEFT JOIN LATERAL (
      SELECT message."emailId"
      FROM "MailboxSync" AS sync
      JOIN "CachedMessage" AS message
        ON message."userId" = sync."userId" AND message."generation" = sync."generation"
      WHERE sync."userId" = ${userId}::uuid AND message."senderKey" = shown."senderKey"
        AND NOT message."isHidden"
      ORDER BY message."receivedAt" DESC LIMIT 1
    ) AS newest ON true
    LEFT JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = newest."emailId"
    ORDER BY ${order}`;
  return { total: rows[0]?.total ?? 0, rows: rows.filter((row) => row.senderKey !== null) };
};

/** A page of cached messages, newest first, and how many there are. */
export const listKeptEmailRows = async (
  database: Database,
  userId: string,
  query: Pagination & { senderKey?: Buffer | undefined; isSuggested?: boolean },
): Promise<{ total: number; rows: KeptEmailRow[] }> => {
  const { page, perPage, senderKey, isSuggested = false } = query;
  const ofSender = senderKey ? Prisma.sql`AND message."senderKey" = ${senderKey}` : Prisma.empty;
  const suggested = isSuggested ? Prisma.sql`AND open."emailId" IS NOT NULL` : Prisma.empty;
  const rows = await database.$queryRaw<(KeptEmailRow & { total: number })[]>`
    WITH listed AS MATERIALIZED (
      SELECT message."emailId", message."receivedAt", open."suggestions"
      ${fromKeptMail(userId)} ${ofSender} ${suggested})
    SELECT totals."total", shown."emailId", shown."suggestions", message."threadId", message."labels", message."receivedAt",
      message."sizeBytes"::float8 AS "sizeBytes", message."attachmentCount",
      message."attachmentBytes"::float8 AS "attachmentBytes", message."encryptedText"
    FROM (SELECT count(*)::int AS "total" FROM listed) AS totals
    LEFT JOIN (
      SELECT * FROM listed ORDER BY "receivedAt" DESC, "emailId" LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) AS shown ON true
    LEFT JOIN "CachedMessage" AS message
      ON message."userId" = ${userId}::uuid AND message."emailId" = shown."emailId"
    ORDER BY shown."receivedAt" DESC, shown."emailId"`;
  return {
    total: rows[0]?.total ?? 0,
    rows: rows
      .filter((row) => row.emailId !== null)
      .map((row) => ({ ...row, suggestions: OpenSuggestionsSchema.parse(row.suggestions) ?? [] })),
  };
};

/**
 * When a scan last went through the whole mailbox, and whether what it cached is still valid. A mailbox without mail has no
 * generation, and neither has a scan of it.
 */
export const findLastWholeScan = async (
  database: Database,
  userId: string,
): Promise<{ finishedAt: Date; isTrusted: boolean } | undefined> => {
  const [scan] = await database.$queryRaw<{ finishedAt: Date; isTrusted: boolean }[]>`
    SELECT scan."finishedAt", scan."generation" IS NOT DISTINCT FROM sync."generation" AS "isTrusted"
    FROM "MailboxScan" AS scan LEFT JOIN "MailboxSync" AS sync ON sync."userId" = scan."userId"
    WHERE scan."userId" = ${userId}::uuid AND scan."state" = 'completed' AND scan."scope" = 'all'
    ORDER BY scan."id" DESC LIMIT 1`;
  return scan;
};
