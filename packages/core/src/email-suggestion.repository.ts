import { type EmailWithSuggestions, type Suggestion, SuggestionSchema } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { z } from 'zod';

const StoredSuggestionsSchema = z.array(SuggestionSchema);

/** Keeps the suggestions shown for each email in place of earlier ones; emails without any are forgotten. */
export const saveSuggestions = async (
  tx: Transaction,
  userId: string,
  emails: Pick<EmailWithSuggestions, 'id' | 'suggestions'>[],
  generatedAt: Date,
): Promise<void> => {
  const rows = emails
    .filter((email) => email.suggestions.length > 0)
    .map((email) => ({ emailId: email.id, suggestions: email.suggestions }));
  // One request of a person at a time: two that delete and insert the same rows would lock each other out.
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${userId}, 0))`;
  const emptied = emails.filter((email) => email.suggestions.length === 0).map((email) => email.id);
  if (emptied.length > 0)
    await tx.emailSuggestion.deleteMany({ where: { userId, emailId: { in: emptied } } });
  if (rows.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO "EmailSuggestion" ("userId", "emailId", "suggestions", "generatedAt")
    SELECT ${userId}::uuid, "emailId", "suggestions", ${generatedAt}::timestamptz
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row("emailId" text, "suggestions" jsonb)
    ON CONFLICT ("userId", "emailId")
    DO UPDATE SET "suggestions" = excluded."suggestions", "generatedAt" = excluded."generatedAt"`;
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
