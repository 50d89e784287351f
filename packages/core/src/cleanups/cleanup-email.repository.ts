import {
  type CleanupOutcome,
  CleanupOutcomeSchema,
  type CleanupSelection,
  type ListCleanupEmailsQuery,
  type Suggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { z } from 'zod';
import { fromKeptMail } from '../emails/mail-overview.repository.ts';

/** An email that a selection matches. */
export interface Candidate {
  emailId: string;
  threadId: string | null;
  /** Its open suggestions, best first; only of a selection of suggestions. */
  suggestions?: Suggestion[] | undefined;
}

/** An email of a plan; its id is that of its future history record. */
export interface PlannedEmail extends Candidate {
  id: string;
}

/** What came of an email. */
export interface EmailOutcome {
  id: string;
  outcome: Exclude<CleanupOutcome, 'open'>;
  reason: string | null;
}

const SuggestionsSchema = z.array(SuggestionSchema);

/** Inserts the emails of a plan in one statement. */
export const insertCleanupEmails = async (
  tx: Transaction,
  { id, userId }: { id: string; userId: string },
  emails: readonly PlannedEmail[],
): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO "CleanupEmail" ("id", "userId", "cleanupId", "emailId", "threadId", "suggestions")
    SELECT "id", ${userId}::uuid, ${id}::uuid, "emailId", "threadId", "suggestions"
    FROM jsonb_to_recordset(${JSON.stringify(emails)}::jsonb) AS email(
      "id" uuid, "emailId" text, "threadId" text, "suggestions" jsonb)`;
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
export const listTouchedEmails = async (
  database: Database,
  cleanupId: string,
  { emailIds, threadIds }: { emailIds: readonly string[]; threadIds: readonly string[] },
): Promise<{ id: string; emailId: string }[]> =>
  database.$queryRaw`
    SELECT "id", "emailId" FROM "CleanupEmail"
    WHERE "cleanupId" = ${cleanupId}::uuid AND "outcome" IS NULL
      AND ("emailId" = ANY(${emailIds}::text[]) OR "threadId" = ANY(${threadIds}::text[]))`;

/** Stores what came of emails; what is stored already stays. */
export const saveOutcomes = async (tx: Transaction, outcomes: readonly EmailOutcome[]): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "CleanupEmail" AS email SET "outcome" = done."outcome", "reason" = done."reason"
    FROM jsonb_to_recordset(${JSON.stringify(outcomes)}::jsonb) AS done("id" uuid, "outcome" text, "reason" text)
    WHERE email."id" = done."id" AND email."outcome" IS NULL`;
};

/** An email of a cleanup, with what is cached of it. */
export interface CleanupEmailRow {
  id: string;
  emailId: string;
  threadId: string | null;
  outcome: CleanupOutcome;
  reason: string | null;
  /** The cached message; null in all of them where it is not cached. */
  encryptedText: string | null;
  receivedAt: Date | null;
  sizeBytes: number | null;
}

const CACHED = Prisma.sql`
  message."encryptedText", message."receivedAt", message."sizeBytes"::float8 AS "sizeBytes"`;
const WITH_CACHED = Prisma.sql`
  LEFT JOIN "MailboxSync" AS sync ON sync."userId" = email."userId"
  LEFT JOIN "CachedMessage" AS message ON message."userId" = email."userId"
    AND message."emailId" = email."emailId" AND message."generation" = sync."generation"`;

/** A page of the emails of a cleanup, in the order of the plan. */
export const listCleanupEmailRows = async (
  database: Database,
  cleanupId: string,
  { page, perPage, outcome }: ListCleanupEmailsQuery,
): Promise<{ total: number; rows: CleanupEmailRow[] }> => {
  const where = Prisma.sql`"cleanupId" = ${cleanupId}::uuid ${
    outcome === undefined ? Prisma.empty : Prisma.sql`AND coalesce("outcome", 'open') = ${outcome}`
  }`;
  const [counted] = await database.$queryRaw<[{ total: number }]>`
    SELECT count(*)::int AS "total" FROM "CleanupEmail" WHERE ${where}`;
  const rows = await database.$queryRaw<CleanupEmailRow[]>`
    SELECT email."id", email."emailId", email."threadId", coalesce(email."outcome", 'open') AS "outcome",
      email."reason", ${CACHED}
    FROM (SELECT * FROM "CleanupEmail" WHERE ${where}
          ORDER BY "id" OFFSET ${(page - 1) * perPage} LIMIT ${perPage}) AS email
    ${WITH_CACHED} ORDER BY email."id"`;
  return {
    total: counted.total,
    rows: rows.map((row) => ({ ...row, outcome: CleanupOutcomeSchema.parse(row.outcome) })),
  };
};

/** The first emails of a cleanup whose content is cached. */
export const listSampleRows = (
  database: Database,
  cleanupId: string,
  limit: number,
): Promise<CleanupEmailRow[]> =>
  database.$queryRaw<CleanupEmailRow[]>`
    SELECT email."id", email."emailId", email."threadId", coalesce(email."outcome", 'open') AS "outcome",
      email."reason", ${CACHED}
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
    FROM "MailboxSync" AS sync JOIN "CachedMessage" AS message
      ON message."userId" = sync."userId" AND message."generation" = sync."generation"
    WHERE sync."userId" = ${userId}::uuid AND message."emailId" = ANY(${emailIds}::text[])`;
  return measured;
};

/** The cached emails of senders, newest first. */
export const listEmailsOfSenders = (
  database: Database,
  userId: string,
  senders: readonly string[],
): Promise<Candidate[]> =>
  database.$queryRaw<Candidate[]>`
    SELECT message."emailId", message."threadId"
    FROM "MailboxSync" AS sync JOIN "CachedMessage" AS message
      ON message."userId" = sync."userId" AND message."generation" = sync."generation"
    WHERE sync."userId" = ${userId}::uuid AND NOT message."isHidden"
      AND message."senderKey" IN (SELECT decode(sender, 'hex') FROM unnest(${senders}::text[]) AS sender)
    ORDER BY message."receivedAt" DESC, message."emailId"`;

type SuggestionsSlice = Extract<CleanupSelection, { type: 'suggestions' }>;

/** The cached emails with open suggestions whose best one is in the slice, newest first. */
export const listSuggestedEmails = async (
  database: Database,
  userId: string,
  { actions, classification, minConfidence, sender }: SuggestionsSlice,
): Promise<Candidate[]> => {
  const best = Prisma.sql`open."suggestions"->0`;
  const conditions = [
    Prisma.sql`open."emailId" IS NOT NULL`,
    ...(actions ? [Prisma.sql`${best}->>'action' = ANY(${actions}::text[])`] : []),
    ...(classification === undefined ? [] : [Prisma.sql`${best}->>'classification' = ${classification}`]),
    ...(minConfidence === undefined
      ? []
      : [Prisma.sql`(${best}->>'confidence_score')::float8 >= ${minConfidence}`]),
    ...(sender === undefined ? [] : [Prisma.sql`message."senderKey" = decode(${sender}, 'hex')`]),
  ];
  const rows = await database.$queryRaw<(Candidate & { suggestions: unknown })[]>`
    SELECT message."emailId", message."threadId", open."suggestions"
    ${fromKeptMail(userId)} AND ${Prisma.join(conditions, ' AND ')}
    ORDER BY message."receivedAt" DESC, message."emailId"`;
  return rows.map((row) => ({ ...row, suggestions: SuggestionsSchema.parse(row.suggestions) }));
};
