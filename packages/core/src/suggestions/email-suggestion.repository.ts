import { type EmailWithSuggestions, type Suggestion, SuggestionSchema } from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction, writeRows } from '@mailsweep/database';
import { SYSTEM_LABELS } from '@mailsweep/mailbox';
import { z } from 'zod';

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
