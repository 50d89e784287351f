import {
  type Counts,
  type NotificationSummary,
  SUMMARY_WINDOW_HOURS,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';

interface SummaryRow {
  /** A kind of count and, after a colon, a name: `suggestedAction:archive`. Empty in the row of the window. */
  key: string;
  count: number;
  windowStart: Date | null;
  windowEnd: Date | null;
}

/**
 * Counts a user's stored events over a rolling window that ends now by the database's clock, both ends
 * inclusive; over all time without a period. The bounds are rounded as the stored instants are. Rollups, and the log
 * of what is not in them yet, tell spans of ten minutes, from the beginning of one that is nearest to the window's;
 * the events themselves tell what lies between the two, and what is later than the window's end (docs/decisions/028).
 * A name of which nothing was counted is absent.
 */
export const summarizeEvents = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<NotificationSummary> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const rows = await readRows<SummaryRow>(
    database,
    Prisma.sql`
    WITH bounds AS MATERIALIZED (
      SELECT "windowStart", "windowEnd", "rollupStart"("windowStart" + interval '5 minutes') AS "spansStart",
             "rollupStart"("windowEnd") + interval '10 minutes' AS "spansEnd"
      FROM (
        SELECT moment - make_interval(hours => ${hours}::int) AS "windowStart",
               CASE WHEN ${hours}::int IS NOT NULL THEN moment END AS "windowEnd"
        FROM (SELECT now()::timestamptz(3) AS moment) AS clock
      ) AS rolling
    ), counts AS (
      SELECT counted."key", counted."value"::numeric AS "count"
      FROM "NotificationRollup", jsonb_each("counts") AS counted
      WHERE "userId" = ${userId}::uuid AND ${hours}::int IS NULL AND "start" = '-infinity'
      UNION ALL
      SELECT counted."key", counted."value"::numeric
      FROM "NotificationRollup", jsonb_each("counts") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "start" >= (SELECT "spansStart" FROM bounds) AND "start" < (SELECT "spansEnd" FROM bounds)
      UNION ALL
      SELECT counted."name", counted."count" * (SELECT CASE WHEN "windowStart" < "spansStart" THEN 1 ELSE -1 END FROM bounds)
      FROM "NotificationEvent", "countsOfEvent"("type", "summary") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "createdAt" >= (SELECT least("windowStart", "spansStart") FROM bounds)
        AND "createdAt" < (SELECT greatest("windowStart", "spansStart") FROM bounds)
      UNION ALL
      SELECT counted."name", -counted."count"
      FROM "NotificationEvent", "countsOfEvent"("type", "summary") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "createdAt" > (SELECT "windowEnd" FROM bounds) AND "createdAt" < (SELECT "spansEnd" FROM bounds)
      UNION ALL
      SELECT counted."name", "sign" * counted."count"
      FROM "NotificationDelta", "countsOfEvent"("type", "summary") AS counted
      WHERE "userId" = ${userId}::uuid AND (
        ${hours}::int IS NULL
        OR ("createdAt" >= (SELECT "spansStart" FROM bounds) AND "createdAt" < (SELECT "spansEnd" FROM bounds))
      )
    )
    SELECT "key", sum("count")::float8 AS "count", NULL::timestamptz AS "windowStart", NULL::timestamptz AS "windowEnd"
    FROM counts GROUP BY "key" HAVING sum("count") <> 0
    UNION ALL
    SELECT '', 0, "windowStart", "windowEnd" FROM bounds`,
  );

  const countsOf = (kind: string): Counts =>
    Object.fromEntries(
      rows
        .filter(({ key }) => key.startsWith(`${kind}:`))
        .map(({ key, count }) => [key.slice(kind.length + 1), count]),
    );
  const totalOf = (kind: string): number => rows.find(({ key }) => key === kind)?.count ?? 0;
  const window = rows.find(({ key }) => key === '');
  return {
    period: period ?? null,
    windowStart: window?.windowStart?.toISOString() ?? null,
    windowEnd: window?.windowEnd?.toISOString() ?? null,
    totalEvents: totalOf('events'),
    totalSuggestions: totalOf('suggestions'),
    totalConfirmed: totalOf('confirmed'),
    suggestedActions: countsOf('suggestedAction'),
    confirmedActions: countsOf('confirmedAction'),
    classifications: countsOf('classification'),
  };
};
