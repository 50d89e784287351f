import {
  type CleanupOutcome,
  CleanupOutcomeSchema,
  type ListCleanupEmailsQuery,
  type StoredSuggestion,
  StoredSuggestionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { z } from 'zod';
import type { AcceptanceModel } from '../learning/acceptance.ts';
import { rateBest } from '../learning/rate-best.ts';
import { askedSender, isFrom, type SenderSources } from '../sender-groups/sender-source.repository.ts';
import { fromCachedEmails } from '../suggestions/cached-emails.repository.ts';
import {
  hasOpenSuggestion,
  type SuggestionFilter,
} from '../suggestions/groups/suggestion-filter.repository.ts';

export interface Candidate {
  emailId: string;
  threadId: string | null;
  /** As the mailbox told them. */
  labels?: string[] | undefined;
  /** Its open suggestions, best first; only of a selection of suggestions. */
  suggestions?: StoredSuggestion[] | undefined;
  /** Only of a selection of senders: the id of the sender or group that was asked for, and when the email came. */
  sender?: string;
  receivedAt?: Date;
}

/** An email of a plan; its id is that of its future history record. */
export interface PlannedEmail extends Candidate {
  id: string;
}

export interface EmailOutcome {
  id: string;
  outcome: Exclude<CleanupOutcome, 'open'>;
  reason: string | null;
}

const SuggestionsSchema = z.array(StoredSuggestionSchema);

export const insertCleanupEmails = async (
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  emails: readonly PlannedEmail[],
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO "CleanupEmail" ("id", "userId", "cleanupId", "emailId", "threadId", "suggestions", "labels")
    SELECT "id", ${userId}::uuid, ${id}::uuid, "emailId", "threadId", "suggestions", "labels"
    FROM jsonb_to_recordset(${JSON.stringify(emails)}::jsonb) AS email(
      "id" uuid, "emailId" text, "threadId" text, "suggestions" jsonb, "labels" text[])`;
};

/** The first emails that are not done yet, in the order of the plan. */
export const listOpenEmails = async (
  database: Database,
  cleanupId: string,
  limit: number,
): Promise<PlannedEmail[]> => {
  const rows = await database.cleanupEmail.findMany({
    where: { cleanupId, outcome: null },
    orderBy: { id: 'asc' },
    take: limit,
    select: { id: true, emailId: true, threadId: true, suggestions: true },
  });
  return rows.map(({ suggestions, ...row }) => ({
    ...row,
    suggestions: suggestions === null ? undefined : SuggestionsSchema.parse(suggestions),
  }));
};

/**
 * Those of the open emails of a cleanup that are among these messages or in these conversations.
 *
 * @returns the ids of the rows
 */
export const listChangedEmails = async (
  database: Database,
  cleanupId: string,
  { emailIds, threadIds }: { emailIds: readonly string[]; threadIds: readonly string[] },
): Promise<{ id: string; emailId: string }[]> =>
  database.$queryRaw`
    SELECT "id", "emailId" FROM "CleanupEmail"
    WHERE "cleanupId" = ${cleanupId}::uuid AND "outcome" IS NULL
      AND ("emailId" = ANY(${emailIds}::text[]) OR "threadId" = ANY(${threadIds}::text[]))`;

/** The labels that emails of a plan had when it was made, by email id; those that were not known are left out. */
export const readPlannedLabels = async (
  database: Database,
  cleanupId: string,
  emailIds: readonly string[],
): Promise<Map<string, string[]>> => {
  const rows = await database.$queryRaw<{ emailId: string; labels: string[] }[]>`
    SELECT "emailId", "labels" FROM "CleanupEmail"
    WHERE "cleanupId" = ${cleanupId}::uuid AND "outcome" IS NULL AND "emailId" = ANY(${emailIds}::text[])
      AND "labels" IS NOT NULL`;
  return new Map(rows.map(({ emailId, labels }) => [emailId, labels]));
};

/** Stores what came of emails; what is stored already stays. */
export const saveOutcomes = async (tx: Transaction, outcomes: readonly EmailOutcome[]): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "CleanupEmail" AS email SET "outcome" = done."outcome", "reason" = done."reason"
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) AS done("id" uuid, "outcome" text, "reason" text)
    WHERE email."id" = done."id" AND email."outcome" IS NULL`;
};

export interface CleanupEmailRow {
  id: string;
  emailId: string;
  threadId: string | null;
  action: string | null;
  outcome: CleanupOutcome;
  reason: string | null;
  /** The cached message; null in all of them where it is not cached. */
  encryptedText: string | null;
  receivedAt: Date | null;
  sizeBytes: number | null;
}

/** What is done to an email, as `toPlannedAction` tells it. */
const PLANNED_ACTION = Prisma.sql`
  CASE cleanup."action" WHEN 'accept' THEN email."suggestions"->0->>'action' ELSE cleanup."action" END`;
const LISTED_COLUMNS = Prisma.sql`
  email."id", email."emailId", email."threadId", ${PLANNED_ACTION} AS "action",
  coalesce(email."outcome", 'open') AS "outcome", email."reason",
  message."encryptedText", message."receivedAt", message."sizeBytes"::float8 AS "sizeBytes"`;
const WITH_CACHED = Prisma.sql`
  JOIN "Cleanup" AS cleanup ON cleanup."id" = email."cleanupId"
  LEFT JOIN "CachedMessage" AS message ON message."userId" = email."userId" AND message."emailId" = email."emailId"`;

/** A page of the emails of a cleanup, in the order of the plan. */
export const listCleanupEmailRows = async (
  database: Database,
  cleanupId: string,
  { page, perPage, outcome, action }: ListCleanupEmailsQuery,
): Promise<{ total: number; rows: CleanupEmailRow[] }> => {
  const conditions = [
    Prisma.sql`email."cleanupId" = ${cleanupId}::uuid`,
    ...(outcome === undefined ? [] : [Prisma.sql`coalesce(email."outcome", 'open') = ${outcome}`]),
    ...(action === undefined ? [] : [Prisma.sql`${PLANNED_ACTION} = ${action}`]),
  ];
  const listed = Prisma.sql`
    FROM "CleanupEmail" AS email JOIN "Cleanup" AS cleanup ON cleanup."id" = email."cleanupId"
    WHERE ${Prisma.join(conditions, ' AND ')}`;
  const [counted] = await database.$queryRaw<[{ total: number }]>`SELECT count(*)::int AS "total" ${listed}`;
  const rows = await database.$queryRaw<CleanupEmailRow[]>`
    SELECT ${LISTED_COLUMNS}
    FROM (SELECT email.* ${listed} ORDER BY email."id" OFFSET ${(page - 1) * perPage} LIMIT ${perPage}) AS email
    ${WITH_CACHED} ORDER BY email."id"`;
  return {
    total: counted.total,
    rows: rows.map((row) => ({ ...row, outcome: CleanupOutcomeSchema.parse(row.outcome) })),
  };
};

export const listSampleRows = (
  database: Database,
  cleanupId: string,
  limit: number,
): Promise<CleanupEmailRow[]> =>
  database.$queryRaw<CleanupEmailRow[]>`
    SELECT ${LISTED_COLUMNS}
    FROM "CleanupEmail" AS email ${WITH_CACHED}
    WHERE email."cleanupId" = ${cleanupId}::uuid AND message."emailId" IS NOT NULL
    ORDER BY email."id" LIMIT ${limit}`;

/** How large the cached ones of these emails are together, in bytes, and how many they are. */
export const measureCachedEmails = async (
  database: Database | Transaction,
  userId: string,
  emailIds: readonly string[],
): Promise<{ sizeBytes: number; sizeKnown: number }> => {
  const [measured] = await database.$queryRaw<[{ sizeBytes: number; sizeKnown: number }]>`
    SELECT coalesce(sum(message."sizeBytes"), 0)::float8 AS "sizeBytes", count(*)::int AS "sizeKnown"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = ANY(${emailIds}::text[])`;
  return measured;
};

/** How many of these emails say that they were sent before an instant, as far as they are cached. */
export const countSentBefore = async (
  database: Database,
  userId: string,
  emailIds: readonly string[],
  sentBefore: Date,
): Promise<number> => {
  const [counted] = await database.$queryRaw<[{ emails: number }]>`
    SELECT count(*)::int AS "emails" FROM "CachedMessage"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[]) AND "sentAt" < ${sentBefore}`;
  return counted.emails;
};

/**
 * The cached emails of senders, newest first.
 *
 * @param receivedBefore - only emails that are older
 */
export const listEmailsOfSenders = (
  database: Database,
  userId: string,
  senders: SenderSources,
  receivedBefore?: Date,
): Promise<Candidate[]> =>
  database.$queryRaw<Candidate[]>`
    SELECT message."emailId", message."threadId", message."receivedAt", ${askedSender(senders)} AS "sender"
    FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND NOT message."isHidden"
      AND ${isFrom(senders.keys())}
      ${receivedBefore === undefined ? Prisma.empty : Prisma.sql`AND message."receivedAt" < ${receivedBefore}`}
    ORDER BY message."receivedAt" DESC, message."emailId"`;

/** The cached emails of any of these senders, and those that {@link listSuggestedEmails} lists, newest first. */
export const listEmailsOfAny = async (
  database: Database,
  userId: string,
  { senders, ...slice }: Omit<SuggestionFilter, 'senders'> & { senders: SenderSources },
  model: AcceptanceModel,
): Promise<Candidate[]> => {
  const lists = await Promise.all([
    listEmailsOfSenders(database, userId, senders, slice.receivedBefore),
    listSuggestedEmails(database, userId, slice, model),
  ]);
  const emailIds = [...new Set(lists.flat().map(({ emailId }) => emailId))];
  return await database.$queryRaw<Candidate[]>`
    SELECT "emailId", "threadId" FROM "CachedMessage"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[])
    ORDER BY "receivedAt" DESC, "emailId"`;
};

/**
 * The cached emails with open suggestions whose best one is in the slice, newest first; protected ones also where their
 * best one is withheld.
 */
export const listSuggestedEmails = async (
  database: Database,
  userId: string,
  slice: SuggestionFilter,
  model: AcceptanceModel,
): Promise<Candidate[]> => {
  const columns = Prisma.sql`
    message."emailId", message."threadId", message."receivedAt", open."suggestions", learned."acceptance"`;
  const rows = await database.$queryRaw<(Candidate & { suggestions: unknown; acceptance: number })[]>`
    WITH shown AS MATERIALIZED (
      SELECT ${columns}
      ${fromCachedEmails(userId, { model })} AND ${hasOpenSuggestion(slice)})
    SELECT "emailId", "threadId", "suggestions", "acceptance" FROM (
      SELECT * FROM shown
      UNION ALL
      SELECT ${columns}
      ${fromCachedEmails(userId, { withProtected: true, model })} AND ${hasOpenSuggestion(slice)}
        AND message."emailId" NOT IN (SELECT "emailId" FROM shown)) AS listed
    ORDER BY "receivedAt" DESC, "emailId"`;
  return rows.map(({ acceptance, ...row }) => ({
    ...row,
    suggestions: rateBest(SuggestionsSchema.parse(row.suggestions), acceptance),
  }));
};
