import type { ConfirmAction } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

/**
 * The emails to whose present suggestions the user has given the same answer before, and not taken it back. An answer
 * that is still on its way into the history counts, too.
 */
export const listRepeatedAnswers = async (
  database: Database,
  userId: string,
  emailIds: string[],
  action: ConfirmAction,
): Promise<Set<string>> => {
  const rows = await database.$queryRaw<{ emailId: string }[]>`
    SELECT DISTINCT answer."emailId"
    FROM (
      SELECT "emailId", "timestamp" AS "answeredAt" FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[])
        AND "action" = ${action} AND "undoneAt" IS NULL
      UNION ALL
      SELECT item->>'emailId', "requestedAt"
      FROM "ActionIntent", jsonb_array_elements("plan"->'items') AS item
      WHERE "userId" = ${userId}::uuid AND "plan"->>'action' = ${action}
        AND item->>'emailId' = ANY(${emailIds}::text[])
    ) AS answer
    LEFT JOIN "EmailSuggestion" AS suggestion
      ON suggestion."userId" = ${userId}::uuid AND suggestion."emailId" = answer."emailId"
    WHERE suggestion."generatedAt" IS NULL OR answer."answeredAt" > suggestion."generatedAt"`;
  return new Set(rows.map(({ emailId }) => emailId));
};
