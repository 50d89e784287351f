import { ACCEPTANCE_BANDS } from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { type AcceptanceModel, DOUBT, type KindDecisions, learnModel, STRENGTHS } from './acceptance.ts';

/** Newest decisions about what was called sure that are searched for a doubt: bounds the work of each list. */
const MOST_SURE_DECISIONS = 1_000;

/**
 * When the user last rejected several suggestions that were called sure, as `isDoubt` has it. What one request decided about
 * one sender is one decision: rejecting a whole group says nothing about other senders. What was undone does not count.
 */
const findDoubt = async (database: Database, userId: string): Promise<Date | null> => {
  // As in the condition of the index "ActionHistory_sure_idx": a parameter would not match it in a generic plan.
  const sure = Prisma.raw(String(ACCEPTANCE_BANDS.sure));
  const [row] = await database.$queryRaw<{ doubtedAt: Date | null }[]>`
    SELECT max("timestamp") AS "doubtedAt"
    FROM (
      SELECT "timestamp", "isRejected",
        count(*) FILTER (WHERE "isRejected") OVER (
          ORDER BY "timestamp", "id" ROWS ${Prisma.raw(String(DOUBT.of - 1))} PRECEDING) AS "rejected"
      FROM (
        SELECT max("timestamp") AS "timestamp", max("id"::text) AS "id", bool_or("action" = 'reject') AS "isRejected"
        FROM (
          SELECT "id", "timestamp", "action", "batchId", "senderKey" FROM "ActionHistory"
          WHERE "userId" = ${userId}::uuid AND "acceptance" >= ${sure} AND "action" IN ('accept', 'reject')
            AND "undoneAt" IS NULL
          ORDER BY "timestamp" DESC, "id" DESC LIMIT ${MOST_SURE_DECISIONS}
        ) AS newest
        GROUP BY "batchId", "senderKey"
      ) AS decision
    ) AS judged
    WHERE "isRejected" AND "rejected" >= ${DOUBT.rejected}`;
  return row?.doubtedAt ?? null;
};

/** What the user's decisions so far say about suggestions. */
export const readAcceptanceModel = async (database: Database, userId: string): Promise<AcceptanceModel> => {
  const { sender } = STRENGTHS;
  const doubtedAt = await findDoubt(database, userId);
  // As `sumByKind`.
  const kinds = await readRows<KindDecisions>(
    database,
    Prisma.sql`
    SELECT "action", "classification", sum("weight" * "decided") AS "decided", sum("weight" * "accepted") AS "accepted",
      sum("weight" * "confidence") AS "confidence"
    FROM (
      SELECT *, ${sender + 1}::float8 / (${sender}::float8 + "decided") AS "weight"
      FROM "SenderAcceptance" WHERE "userId" = ${userId}::uuid
    ) AS known
    GROUP BY 1, 2`,
  );
  return learnModel(kinds, doubtedAt);
};
