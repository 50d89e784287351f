import {
  type Pagination,
  type SenderSort,
  type StoredSuggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { z } from 'zod';
import type { AcceptanceModel } from '../learning/acceptance.ts';
import { joinAcceptance } from '../learning/join-acceptance.repository.ts';
import { rateBest } from '../learning/rate-best.ts';
import { stoppedActions } from '../learning/stopped-suggestion.repository.ts';
import { cachedReason, hasNotice } from '../protections/cached-protection.repository.ts';
import { protectedSenderKeys } from '../protections/protection.repository.ts';
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
export interface CachedEmailRow {
  emailId: string;
  threadId: string | null;
  labels: string[];
  receivedAt: Date;
  sizeBytes: number;
  attachmentCount: number;
  attachmentBytes: number;
  encryptedText: string;
  suggestions: StoredSuggestion[];
}

const SORTS: Record<SenderSort, Prisma.Sql> = {
  mails: Prisma.sql`"mails"`,
  unread: Prisma.sql`"unread"`,
  bytes: Prisma.sql`"bytes"`,
  lastSeen: Prisma.sql`"lastSeen"`,
  suggested: Prisma.sql`"suggested"`,
};

const OpenSuggestionsSchema = z.array(SuggestionSchema).nullable();

const STORED = Prisma.sql`stored."suggestions"`;

/** What may be suggested for a message, in view of its protection. */
const allowed = (userId: string): Prisma.Sql => Prisma.sql`
  CASE WHEN stored."emailId" IS NULL OR ((${cachedReason(userId)}) IS NULL AND NOT ${hasNotice(STORED)}) THEN ${STORED}
    ELSE ${withoutClearing(STORED)} END`;

/** Suggestions that neither archive nor delete. */
const withoutClearing = (suggestions: Prisma.Sql): Prisma.Sql => Prisma.sql`
  jsonb_path_query_array(${suggestions}, '$[*] ? (@."action" != "archive" && @."action" != "delete")')`;

/** Without the actions that are no longer suggested for the sender. */
const withoutStopped = (suggestions: Prisma.Sql): Prisma.Sql => Prisma.sql`
  CASE WHEN stop."actions" IS NULL THEN ${suggestions}
    ELSE jsonb_path_query_array(${suggestions}, '$[*] ? (!(@."action" == $stopped[*]))',
      jsonb_build_object('stopped', stop."actions")) END`;

/**
 * Cached messages with their open suggestions: null for none. What is stored for an email was open when it was stored;
 * only a confirmation given since, and not taken back, ends that. Archiving what has left the inbox is nothing to suggest,
 * nor is clearing away what is protected, nor what the user has rejected so often that it is no longer suggested.
 *
 * `open` has the suggestions of an email, best first, and `action`, `classification` and `confidence` of the best one.
 *
 * @param options.withProtected - with the suggestions that protection withholds
 * @param options.model - adds the probability that the user accepts the best suggestion, as `learned."acceptance"`
 */
export const fromCachedEmails = (
  userId: string,
  options: { withProtected?: boolean; model?: AcceptanceModel } = {},
): Prisma.Sql => Prisma.sql`
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
  ) AS stored ON stored."emailId" = message."emailId"
  LEFT JOIN (${stoppedActions(userId)}) AS stop ON stop."senderKey" = message."senderKey"
  -- Without OFFSET 0, the database works the expressions out again wherever they are used.
  LEFT JOIN LATERAL (
    SELECT shown.*, "suggestions"->0->>'action' AS "action", "suggestions"->0->>'classification' AS "classification",
      ("suggestions"->0->>'confidence_score')::float8 AS "confidence"
    FROM (
      SELECT stored."emailId", ${withoutStopped(options.withProtected ? STORED : allowed(userId))} AS "suggestions"
      OFFSET 0
    ) AS shown
    OFFSET 0
  ) AS open ON open."action" <> 'archive' OR (open."action" IS NOT NULL AND message."isInInbox")
  ${options.model === undefined ? Prisma.empty : joinAcceptance(userId, options.model)}
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
      ${fromCachedEmails(userId)}
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
    SELECT totals."total", shown."emailId", shown."suggestions", shown."acceptance", message."threadId", message."labels", message."receivedAt",
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
      .map(({ acceptance, ...row }) => ({
        ...row,
        suggestions: rateBest(OpenSuggestionsSchema.parse(row.suggestions) ?? [], acceptance),
      })),
  };
};

/**
 * When a scan last went through the whole mailbox, and whether what it cached is still valid. A mailbox without email has
 * no generation, and neither has a scan of it.
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
