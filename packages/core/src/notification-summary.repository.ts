import {
  type Counts,
  DOMAIN_EVENTS,
  type NotificationSummary,
  SUMMARY_WINDOW_HOURS,
  type SummaryPeriod,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';

interface SummaryRow {
  kind:
    | 'event'
    | 'suggestion'
    | 'confirmation'
    | 'suggested_action'
    | 'confirmed_action'
    | 'classification'
    | 'window';
  name: string;
  count: number;
  windowStart: Date | null;
  windowEnd: Date | null;
}

/**
 * Counts a person's stored events over a rolling window that ends now by the database's clock, both ends
 * inclusive; over all time without a period. The bounds are rounded as the stored instants are.
 */
export const summarizeNotifications = async (
  database: Database,
  userId: string,
  period: SummaryPeriod | undefined,
): Promise<NotificationSummary> => {
  const hours = period === undefined ? null : SUMMARY_WINDOW_HOURS[period];
  const rows = await database.$queryRaw<SummaryRow[]>`
    WITH bounds AS (
      SELECT moment - make_interval(hours => ${hours}::int) AS "windowStart",
             CASE WHEN ${hours}::int IS NOT NULL THEN moment END AS "windowEnd"
      FROM (SELECT now()::timestamptz(3) AS moment) AS clock
    ), events AS (
      SELECT "type", "summary" FROM "NotificationEvent", bounds
      WHERE "userId" = ${userId}::uuid
        AND ("windowStart" IS NULL OR "createdAt" BETWEEN "windowStart" AND "windowEnd")
    ), counts AS (
      SELECT 'event' AS kind, "type" AS name, count(*) AS count FROM events GROUP BY "type"
      UNION ALL
      SELECT 'suggestion', "type", sum(("summary"->>'totalSuggestions')::int) FROM events GROUP BY "type"
      UNION ALL
      SELECT 'confirmation', "type", sum(("summary"->>'totalConfirmed')::int) FROM events GROUP BY "type"
      UNION ALL
      SELECT 'suggested_action', key, sum(value::int) FROM events, jsonb_each_text("summary"->'actionCounts')
      WHERE "type" = ${DOMAIN_EVENTS.SUGGESTIONS_GENERATED} GROUP BY key
      UNION ALL
      SELECT 'classification', key, sum(value::int) FROM events, jsonb_each_text("summary"->'classificationCounts')
      WHERE "type" = ${DOMAIN_EVENTS.SUGGESTIONS_GENERATED} GROUP BY key
      UNION ALL
      SELECT 'confirmed_action', "summary"->>'action', sum(("summary"->>'totalConfirmed')::int) FROM events
      WHERE "type" = ${DOMAIN_EVENTS.SUGGESTION_CONFIRMED} AND "summary"->>'action' IS NOT NULL
      GROUP BY "summary"->>'action'
    )
    SELECT kind, name, coalesce(count, 0)::float8 AS count, NULL::timestamptz AS "windowStart", NULL::timestamptz AS "windowEnd"
    FROM counts
    UNION ALL
    SELECT 'window', '', 0, "windowStart", "windowEnd" FROM bounds`;

  const countsOf = (kind: SummaryRow['kind']): Counts =>
    Object.fromEntries(rows.filter((row) => row.kind === kind).map((row) => [row.name, row.count]));
  const window = rows.find((row) => row.kind === 'window');
  return {
    period: period ?? null,
    windowStart: window?.windowStart?.toISOString() ?? null,
    windowEnd: window?.windowEnd?.toISOString() ?? null,
    totalEvents: sum(countsOf('event')),
    totalSuggestions: sum(countsOf('suggestion')),
    totalConfirmed: sum(countsOf('confirmation')),
    suggestedActions: countsOf('suggested_action'),
    confirmedActions: countsOf('confirmed_action'),
    classifications: countsOf('classification'),
  };
};

const sum = (counts: Counts): number => Object.values(counts).reduce((total, count) => total + count, 0);
