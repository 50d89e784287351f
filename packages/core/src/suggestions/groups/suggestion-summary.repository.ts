import {
  type Counts,
  SUMMARY_WINDOW_HOURS,
  type SuggestionSummary,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { fromCachedEmails } from '../cached-emails.repository.ts';
import { hasOpenSuggestion } from './suggestion-filter.repository.ts';

interface SummaryRow {
  action: string | null;
  classification: string | null;
  decision: 'accept' | 'reject' | null;
  count: number;
}

/**
 * Counts the emails of a user with suggestions, each once, and what the user decided about them last. Decisions that were
 * undone do not count; another action than the suggested one counts as accepted. Their suggestions are those of the history record; of emails without a decision, those that are
 * open, as the groups show them.
 */
export const summarizeSuggestions = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<SuggestionSummary> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const rows = await readRows<SummaryRow>(
    database,
    Prisma.sql`
    WITH bounds AS (
      SELECT coalesce(now() - make_interval(hours => ${hours}::int), '-infinity') AS "start"
    ), decided AS (
      SELECT DISTINCT ON ("emailId") "emailId", "details"->'suggestions'->0 AS "best",
        CASE "action" WHEN 'reject' THEN 'reject' ELSE 'accept' END AS "decision"
      FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "timestamp" >= (SELECT "start" FROM bounds)
        AND "source" = 'suggestions' AND "undoneAt" IS NULL
      ORDER BY "emailId", "timestamp" DESC, "id" DESC
    ), suggested AS (
      SELECT "decision", "best" FROM decided
      UNION ALL
      SELECT NULL, open."suggestions"->0
      ${fromCachedEmails(userId)} AND ${hasOpenSuggestion({})}
        AND NOT EXISTS (SELECT FROM decided WHERE decided."emailId" = open."emailId")
        AND EXISTS (
          SELECT FROM "EmailSuggestion" AS dated
          WHERE dated."userId" = ${userId}::uuid AND dated."emailId" = open."emailId"
            AND dated."generatedAt" >= (SELECT "start" FROM bounds))
    )
    SELECT "best"->>'action' AS "action", "best"->>'classification' AS "classification", "decision", count(*)::int AS "count"
    FROM suggested GROUP BY 1, 2, 3`,
  );
  const sum = (isCounted: (row: SummaryRow) => boolean): number =>
    rows.filter(isCounted).reduce((total, { count }) => total + count, 0);
  const countBy = (nameOf: (row: SummaryRow) => string | null): Counts => {
    const counts = new Map<string, number>();
    for (const row of rows) {
      const name = nameOf(row);
      if (name !== null) counts.set(name, (counts.get(name) ?? 0) + row.count);
    }
    return Object.fromEntries(counts);
  };
  return {
    period: period ?? null,
    // An email without a suggestion can be accepted, too; it is archived then.
    suggested: sum(({ action }) => action !== null),
    accepted: sum(({ decision }) => decision === 'accept'),
    rejected: sum(({ decision }) => decision === 'reject'),
    actions: countBy(({ action }) => action),
    classifications: countBy(({ classification }) => classification),
  };
};
