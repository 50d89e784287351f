import {
  type Counts,
  type NotificationSummary,
  SUMMARY_WINDOW_HOURS,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

interface SummaryRow {
  /** A kind of count and, after a colon, a name: `suggestedAction:archive`. Empty in the row of the window. */
  key: string;
  count: number;
  windowStart: Date | null;
  windowEnd: Date | null;
}

/**
 * Counts a person's stored events over a rolling window that ends now by the database's clock, both ends
 * inclusive; over all time without a period. The bounds are rounded as the stored instants are. Rollups tell the
 * spans of ten minutes that lie within the window; of the spans that it cuts, the events themselves are counted
 * (docs/decisions/028). A name of which nothing was counted is absent.
 */
export const summarizeNotifications = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<NotificationSummary> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const rows = await database.$queryRaw<SummaryRow[]>`
    WITH bounds AS MATERIALIZED (
      SELECT moment - make_interval(hours => ${hours}::int) AS "windowStart",
             CASE WHEN ${hours}::int IS NOT NULL THEN moment END AS "windowEnd",
             "rollupStart"(moment - make_interval(hours => ${hours}::int)) + interval '10 minutes' AS "wholeStart",
             "rollupStart"(moment) AS "wholeEnd"
      FROM (SELECT now()::timestamptz(3) AS moment) AS clock
    ), counts AS (
      SELECT counted."key", counted."value"::numeric AS "count"
      FROM "NotificationRollup", jsonb_each("counts") AS counted
      WHERE "userId" = ${userId}::uuid AND ${hours}::int IS NULL AND "start" = '-infinity'
      UNION ALL
      SELECT counted."key", counted."value"::numeric
      FROM "NotificationRollup", jsonb_each("counts") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "start" >= (SELECT "wholeStart" FROM bounds) AND "start" < (SELECT "wholeEnd" FROM bounds)
      UNION ALL
      SELECT counted."name", counted."count"
      FROM "NotificationEvent", "countsOfEvent"("type", "summary") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "createdAt" >= (SELECT "windowStart" FROM bounds) AND "createdAt" < (SELECT "wholeStart" FROM bounds)
      UNION ALL
      SELECT counted."name", counted."count"
      FROM "NotificationEvent", "countsOfEvent"("type", "summary") AS counted
      WHERE "userId" = ${userId}::uuid
        AND "createdAt" >= (SELECT "wholeEnd" FROM bounds) AND "createdAt" <= (SELECT "windowEnd" FROM bounds)
    )
    SELECT "key", sum("count")::float8 AS "count", NULL::timestamptz AS "windowStart", NULL::timestamptz AS "windowEnd"
    FROM counts GROUP BY "key" HAVING sum("count") <> 0
    UNION ALL
    SELECT '', 0, "windowStart", "windowEnd" FROM bounds`;

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
