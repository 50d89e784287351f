import {
  type Pagination,
  type SenderSort,
  type StoredSuggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { FACTS, type FactsRow } from '@mailsweep/message-cache';
import { z } from 'zod';
import type { AcceptanceModel } from '../learning/acceptance.ts';
import { rateBest } from '../learning/rate-best.ts';
import { cachedReason, noticedEmails } from '../protections/cached-protection.repository.ts';
import { protectedSenderKeys } from '../protections/protection.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import {
  hasOpenSuggestion,
  type SuggestionFilter,
} from '../suggestions/groups/suggestion-filter.repository.ts';

/** What there is from one sender. */
export interface SenderRow {
  senderKey: Buffer;
  mails: number;
  inInbox: number;
  unread: number;
  bytes: number;
  lastSeen: Date;
  suggested: number;
  isProtected: boolean;
  /** The newest email. */
  emailId: string;
  encryptedText: string;
}

/** A cached message with its open suggestions. */
export type CachedEmailRow = FactsRow & {
  emailId: string;
  labels: string[];
  suggestions: StoredSuggestion[];
};

const SORTS: Record<SenderSort, Prisma.Sql> = {
  mails: Prisma.sql`"mails"`,
  unread: Prisma.sql`"unread"`,
  bytes: Prisma.sql`"bytes"`,
  lastSeen: Prisma.sql`"lastSeen"`,
  suggested: Prisma.sql`"suggested"`,
};

const OpenSuggestionsSchema = z.array(SuggestionSchema).nullable();

/*
 * Statements that go through all cached messages of a mailbox read nothing but the columns of the index
 * "CachedMessage_userId_senderKey_idx"; texts and labels are fetched for the page that is shown.
 */

/** Which sender is meant: that with an id, or that of an email. */
export type SenderReference = { senderId: string } | { emailId: string };

const isSender = (userId: string, reference: SenderReference): Prisma.Sql =>
  'senderId' in reference
    ? Prisma.sql`message."senderKey" = decode(${reference.senderId}, 'hex')`
    : Prisma.sql`message."senderKey" = (
        SELECT named."senderKey" FROM "CachedMessage" AS named
        WHERE named."userId" = ${userId}::uuid AND named."emailId" = ${reference.emailId})`;

/** Cached emails of a sender that are alike in what bulk actions ask of them. */
export interface EmailsAlike {
  isInInbox: boolean;
  isUnread: boolean;
  reason: string | null;
  isNotify: boolean;
  isReceipt: boolean;
  emails: number;
}

/** The cached emails of a sender, counted by what bulk actions ask of them. */
export const countEmailsAlike = (
  database: Database,
  userId: string,
  reference: SenderReference,
): Promise<EmailsAlike[]> =>
  database.$queryRaw<EmailsAlike[]>`
    SELECT message."isInInbox", message."isUnread", ${cachedReason(userId)} AS "reason",
      coalesce(noticed."isNotify", false) AS "isNotify", coalesce(noticed."isReceipt", false) AS "isReceipt",
      count(*)::int AS "emails"
    FROM "MailboxSync" AS sync
    JOIN "CachedMessage" AS message
      ON message."userId" = sync."userId" AND message."generation" = sync."generation"
    LEFT JOIN (${noticedEmails(userId)}) AS noticed ON noticed."emailId" = message."emailId"
    WHERE sync."userId" = ${userId}::uuid AND NOT message."isHidden" AND ${isSender(userId, reference)}
    GROUP BY 1, 2, 3, 4, 5`;

/**
 * A page of the senders of cached email, the first by `sort` first, and how many there are.
 *
 * @param only - this sender alone
 */
export const listSenderRows = async (
  database: Database,
  userId: string,
  { page, perPage, sort }: Pagination & { sort: SenderSort },
  only?: SenderReference,
): Promise<{ total: number; rows: SenderRow[] }> => {
  const order = Prisma.sql`${SORTS[sort]} DESC, "senderKey"`;
  const rows = await database.$queryRaw<(SenderRow & { total: number })[]>`
    WITH sender AS MATERIALIZED (
      SELECT message."senderKey", count(*)::int AS "mails",
        (count(*) FILTER (WHERE message."isInInbox"))::int AS "inInbox",
        (count(*) FILTER (WHERE message."isUnread"))::int AS "unread",
        sum(message."sizeBytes")::float8 AS "bytes", max(message."receivedAt") AS "lastSeen",
        count(open."emailId")::int AS "suggested"
      ${fromCachedEmails(userId)} ${only === undefined ? Prisma.empty : Prisma.sql`AND ${isSender(userId, only)}`}
      GROUP BY message."senderKey")
    SELECT totals."total", shown.*, newest."emailId", text."encryptedText",
      shown."senderKey" IN (${protectedSenderKeys(userId)}) AS "isProtected"
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

/** A page of the cached messages of a sender, or of those with open suggestions, newest first, and how many there are. */
export const listCachedEmailRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
  filter: { sender: string } | { suggested: SuggestionFilter },
  model: AcceptanceModel,
): Promise<{ total: number; rows: CachedEmailRow[] }> => {
  const condition =
    'sender' in filter
      ? Prisma.sql`message."senderKey" = decode(${filter.sender}, 'hex')`
      : hasOpenSuggestion(filter.suggested);
  const rows = await database.$queryRaw<(CachedEmailRow & { total: number; acceptance: number | null })[]>`
    WITH listed AS MATERIALIZED (
      SELECT message."emailId", message."receivedAt", open."suggestions", learned."acceptance"
      ${fromCachedEmails(userId, { model })} AND ${condition})
    SELECT totals."total", shown."emailId", shown."suggestions", shown."acceptance", message."labels", ${FACTS}
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
      .map(({ acceptance, ...row }) => ({
        ...row,
        suggestions: rateBest(OpenSuggestionsSchema.parse(row.suggestions) ?? [], acceptance),
      })),
  };
};
