import { ACCEPTANCE_BANDS } from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import {
  type AcceptanceModel,
  DOUBT,
  IN_BULK_WEIGHT,
  type KindDecisions,
  LIMITS,
  learnModel,
  STRENGTHS,
} from './acceptance.ts';

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
    SELECT "action", "classification", sum("weight" * "read") AS "decided",
      sum("weight" * ("accepted" - "inBulk")) AS "accepted", sum("weight" * "confidence" * "read" / "decided") AS "confidence"
    FROM (
      SELECT *, "decided" - "inBulk" AS "read", ${sender + 1}::float8 / (${sender}::float8 + "decided" - "inBulk") AS "weight"
      FROM "SenderAcceptance" WHERE "userId" = ${userId}::uuid
    ) AS known
    WHERE "read" > 0
    GROUP BY 1, 2`,
  );
  return learnModel(kinds, doubtedAt);
};

/**
 * Joins the probability that the user accepts the best suggestion of an email in `fromCachedEmails`, as
 * `estimateAcceptance` has it. An email that fails DMARC is never sure: it may be from somebody else.
 *
 * @returns joins that add `learned."acceptance"`, null without a suggestion
 */
export const joinAcceptance = (
  userId: string,
  { rejectionRatio, kinds, doubtedAt }: AcceptanceModel,
): Prisma.Sql => {
  // The database would compute the prior twice if it stood here twice.
  const prior = Prisma.sql`least(${LIMITS.highest}::float8, greatest(${LIMITS.lowest}::float8,
    ${rejectionRatio}::float8 * open."confidence" + (1 - ${rejectionRatio}::float8)))`;
  const ofKind = toShrunkByKind(prior, kinds);
  const { sender } = STRENGTHS;
  const { decided, accepted } = toCounted(doubtedAt);
  // Few emails fail DMARC: a subquery leaves the covering index of all others as it is.
  return Prisma.sql`
  LEFT JOIN "SenderAcceptance" AS known ON known."userId" = ${userId}::uuid
    AND known."senderKey" = message."senderKey" AND known."action" = open."action"
    AND known."classification" = open."classification"
  LEFT JOIN LATERAL (
    SELECT least(${sender}::float8 / (${sender}::float8 + coalesce(${decided}, 0)) * (${ofKind})
      + coalesce(${accepted} / (${sender}::float8 + ${decided}), 0),
      CASE WHEN message."emailId" IN (
        SELECT failing."emailId" FROM "CachedMessage" AS failing
        WHERE failing."userId" = ${userId}::uuid AND failing."failsDmarc") THEN ${LIMITS.highest}::float8 END) AS "acceptance"
  ) AS learned ON open."emailId" IS NOT NULL`;
};

/** What counts of the sender's decisions, as `estimateAcceptance` has it. A subquery would change how tables are joined. */
const toCounted = (doubtedAt: Date | null): { decided: Prisma.Sql; accepted: Prisma.Sql } => {
  const uncounted = Prisma.sql`${1 - IN_BULK_WEIGHT}::float8 * known."inBulk"`;
  const decided = Prisma.sql`(known."decided" - ${uncounted})`;
  const accepted = Prisma.sql`(known."accepted" - ${uncounted})`;
  if (doubtedAt === null) return { decided, accepted };
  const isDoubted = Prisma.sql`known."decidedAt" <= ${doubtedAt}::timestamptz`;
  return {
    decided: Prisma.sql`CASE WHEN ${isDoubted} THEN known."decided" - known."accepted" ELSE ${decided} END`,
    accepted: Prisma.sql`CASE WHEN ${isDoubted} THEN 0 ELSE ${accepted} END`,
  };
};

/**
 * The mean of the posterior of a kind. Its parts are looked up in JSON: joining the few kinds to each email takes the
 * database longer than the rest of the statement.
 */
const toShrunkByKind = (prior: Prisma.Sql, kinds: AcceptanceModel['kinds']): Prisma.Sql => {
  if (kinds.length === 0) return prior;
  const strength = STRENGTHS.kind;
  const byAction = Map.groupBy(kinds, ({ action }) => action);
  const parts = Object.fromEntries(
    [...byAction].map(([action, ofAction]) => [
      action,
      Object.fromEntries(
        ofAction.map(({ classification, decided, accepted }) => [
          classification,
          [strength / (strength + decided), accepted / (strength + decided)],
        ]),
      ),
    ]),
  );
  const part = Prisma.sql`${JSON.stringify(parts)}::jsonb->open."action"->open."classification"`;
  return Prisma.sql`coalesce((${part}->>0)::float8, 1) * (${prior}) + coalesce((${part}->>1)::float8, 0)`;
};
