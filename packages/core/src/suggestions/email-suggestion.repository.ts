import { type EmailWithSuggestions, type Suggestion, SuggestionSchema } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction, writeRows } from '@mailsweep/database';
import { SYSTEM_LABELS } from '@mailsweep/mailbox-sync';
import { z } from 'zod';

const StoredSuggestionsSchema = z.array(SuggestionSchema);

/**
 * Keeps the suggestions shown for each email in place of earlier ones; emails without any are forgotten.
 *
 * @param publication - the insert of the event about them: both are stored, or neither
 */
export const saveSuggestions = async (
  database: Database | Transaction,
  userId: string,
  emails: Pick<EmailWithSuggestions, 'id' | 'suggestions'>[],
  generatedAt: Date,
  publication?: Prisma.Sql,
): Promise<void> => {
  const shown = JSON.stringify(emails.map(({ id, suggestions }) => ({ id, suggestions })));
  const published = publication === undefined ? Prisma.empty : Prisma.sql`, published AS (${publication})`;
  await writeRows(
    database,
    Prisma.sql`
    WITH kept AS (SELECT "storeSuggestions"(${userId}::uuid, ${shown}::jsonb, ${generatedAt}::timestamptz)) ${published}
    SELECT FROM kept`,
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
