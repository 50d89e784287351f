import type { RecordedAction } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

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
