import {
  ACCEPTANCE_BANDS,
  type Agreement,
  MAX_PRECISION_CLASSIFICATIONS,
  MAX_PRECISION_SPANS,
  type Precision,
  type PrecisionQuery,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { measureRate } from './interval.ts';

type ByBand = Record<CalledDecisions['band'], Agreement>;

const sumBand = (rows: readonly CalledDecisions[], wanted: CalledDecisions['band']): Agreement => {
  const ofBand = rows.filter(({ band }) => band === wanted);
  return {
    decided: ofBand.reduce((sum, { decided }) => sum + decided, 0),
    agreed: ofBand.reduce((sum, { agreed }) => sum + agreed, 0),
  };
};

const sumBands = (rows: readonly CalledDecisions[]): ByBand => ({
  sure: sumBand(rows, 'sure'),
  likely: sumBand(rows, 'likely'),
  check: sumBand(rows, 'check'),
});

const toMeasured = (agreement: Agreement) => ({
  ...agreement,
  ...measureRate(agreement.agreed, agreement.decided),
});

const countAll = ({ sure, likely, check }: ByBand): number => sure.decided + likely.decided + check.decided;

/** How often a user agreed with suggestions, by what they were called when the user decided (docs/decisions/047). */
export const getPrecision = async (
  database: Database,
  userId: string,
  { by }: PrecisionQuery,
): Promise<Precision> => {
  const rows = await countCalledDecisions(database, userId, by);
  const { sure, likely, check } = sumBands(rows);
  const spans = [...Map.groupBy(rows, ({ start }) => start)].map(([start, ofSpan]) => ({
    start,
    ...sumBands(ofSpan),
  }));
  const classifications = [...Map.groupBy(rows, ({ classification }) => classification)]
    .map(([classification, ofName]) => ({ classification, ...sumBands(ofName) }))
    .toSorted((one, other) => countAll(other) - countAll(one));
  return {
    by,
    sure: toMeasured(sure),
    likely: toMeasured(likely),
    check: toMeasured(check),
    spans: spans.slice(-MAX_PRECISION_SPANS),
    classifications: classifications.slice(0, MAX_PRECISION_CLASSIFICATIONS),
  };
};

/** Decisions of a span about suggestions of a classification that were called the same. */
interface CalledDecisions {
  /** The first day of the span. */
  start: string;
  classification: string;
  band: 'sure' | 'likely' | 'check';
  decided: number;
  agreed: number;
}

/**
 * Counts decisions by what the suggestions were called when they were made. The last decision about an email counts; what
 * was undone is no decision.
 */
const countCalledDecisions = (
  database: Database,
  userId: string,
  by: 'week' | 'month',
): Promise<CalledDecisions[]> => {
  const { sure, likely } = ACCEPTANCE_BANDS;
  return database.$queryRaw<CalledDecisions[]>(Prisma.sql`
    WITH decided AS (
      SELECT DISTINCT ON ("emailId" COLLATE "C") "timestamp", "classification", "acceptance",
        "action" = 'accept' AS "isAgreed"
      FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "acceptance" IS NOT NULL AND "action" IN ('accept', 'reject')
        AND "undoneAt" IS NULL
      ORDER BY "emailId" COLLATE "C", "timestamp" DESC, "id" DESC
    )
    SELECT to_char(date_trunc(${by}, "timestamp" AT TIME ZONE 'UTC'), 'YYYY-MM-DD') AS "start", "classification",
      CASE WHEN "acceptance" >= ${sure} THEN 'sure' WHEN "acceptance" >= ${likely} THEN 'likely' ELSE 'check' END AS "band",
      count(*)::int AS "decided", (count(*) FILTER (WHERE "isAgreed"))::int AS "agreed"
    FROM decided GROUP BY 1, 2, 3 ORDER BY 1, 2`);
};
