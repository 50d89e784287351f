import {
  type EmailWithSuggestions,
  type RecordedAction,
  type StoredSuggestion,
  type Suggestion,
  SuggestionSchema,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction, writeRows } from '@mailsweep/database';
import { SYSTEM_LABELS } from '@mailsweep/mail/mailbox';
import { z } from 'zod';
import { readAcceptanceModel } from '../learning/learned-acceptance.repository.ts';
import { rateBest } from '../learning/rate-best.ts';
import { fromCachedEmails } from './cached-emails.repository.ts';

const StoredSuggestionsSchema = z.array(SuggestionSchema);

/** Stores the suggestions shown for each email in place of earlier ones; those of emails without any are deleted. */
export const saveSuggestions = async (
  database: Database | Transaction,
  userId: string,
  emails: Pick<EmailWithSuggestions, 'id' | 'suggestions'>[],
  generatedAt: Date,
): Promise<void> => {
  const shown = JSON.stringify(emails.map(({ id, suggestions }) => ({ id, suggestions })));
  await writeRows(
    database,
    Prisma.sql`SELECT FROM "storeSuggestions"(${userId}::uuid, ${shown}::jsonb, ${generatedAt}::timestamptz)`,
  );
};

/** The suggestions last shown for each email, best first; emails without any have no entry. */
export const listSuggestions = async (
  database: Database | Transaction,
  userId: string,
  emailIds: string[],
): Promise<Map<string, Suggestion[]>> => {
  const rows = await database.emailSuggestion.findMany({ where: { userId, emailId: { in: emailIds } } });
  return new Map(rows.map((row) => [row.emailId, StoredSuggestionsSchema.parse(row.suggestions)]));
};

/** Which of these messages are cached as drafts or chats: what was suggested for them is not carried out. */
export const listNoMail = async (
  database: Database,
  userId: string,
  emailIds: string[],
): Promise<Set<string>> => {
  const rows = await readRows<{ emailId: string }>(
    database,
    Prisma.sql`
    SELECT "emailId" FROM "CachedMessage"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[])
      AND "labels" && ${[SYSTEM_LABELS.draft, SYSTEM_LABELS.chat]}::text[]`,
  );
  return new Set(rows.map(({ emailId }) => emailId));
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

/** What is confirmed for an email. */
interface RatedEmail {
  suggestions: StoredSuggestion[];
  /** The sender's id: 64 hexadecimal digits; undefined where the email is not cached. */
  senderId: string | undefined;
}

/** Gives the best suggestion of each cached email the probability that the user accepts it, where it is shown. */
export const rateSuggestions = async (
  database: Database,
  userId: string,
  suggestions: ReadonlyMap<string, Suggestion[]>,
): Promise<Map<string, RatedEmail>> => {
  const model = await readAcceptanceModel(database, userId);
  const emailIds = [...suggestions.keys()];
  const rows = await database.$queryRaw<{ emailId: string; senderId: string; acceptance: number | null }[]>`
    SELECT message."emailId", encode(message."senderKey", 'hex') AS "senderId",
      CASE WHEN open."emailId" IS NOT NULL THEN learned."acceptance" END AS "acceptance"
    ${fromCachedEmails(userId, { model })} AND message."emailId" = ANY(${emailIds}::text[])`;
  const known = new Map(rows.map((row) => [row.emailId, row]));
  return new Map(
    [...suggestions].map(([emailId, list]) => {
      const { acceptance, senderId } = known.get(emailId) ?? {};
      return [emailId, { suggestions: rateBest(list, acceptance), senderId }];
    }),
  );
};

/**
 * The emails whose present suggestions the user has confirmed in the same way before, without undoing it. A
 * confirmation that is still pending counts, too.
 */
export const listRepeatedConfirmations = async (
  database: Database,
  userId: string,
  emailIds: string[],
  action: RecordedAction,
): Promise<Set<string>> => {
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT DISTINCT confirmation."emailId"
    FROM (
      SELECT "emailId", "timestamp" AS "confirmedAt" FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[])
        AND "action" = ${action} AND "source" = 'suggestions' AND "undoneAt" IS NULL
      UNION ALL
      SELECT item->>'emailId', "requestedAt"
      FROM "ActionIntent", jsonb_array_elements("plan"->'items') AS item
      WHERE "userId" = ${userId}::uuid AND "plan"->>'action' = ${action} AND "plan"->>'source' = 'suggestions'
        AND item->>'emailId' = ANY(${emailIds}::text[])
    ) AS confirmation
    LEFT JOIN "EmailSuggestion" AS suggestion
      ON suggestion."userId" = ${userId}::uuid AND suggestion."emailId" = confirmation."emailId"
    WHERE suggestion."generatedAt" IS NULL OR confirmation."confirmedAt" > suggestion."generatedAt"`;
  return new Set(rows.map(({ emailId }) => emailId));
};
