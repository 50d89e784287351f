import { ACCEPTANCE_BANDS } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';

/** Decisions of a span about suggestions of a classification that were called the same. */
export interface CalledDecisions {
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
export const countCalledDecisions = (
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
