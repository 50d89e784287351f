import { Prisma } from '@mailsweep/database';
import { type AcceptanceModel, LIMITS, STRENGTHS } from './acceptance.ts';

/**
 * Joins the probability that the user accepts the best suggestion of an email in `fromCachedEmails`, as
 * `estimateAcceptance` has it.
 *
 * @returns joins that add `learned."acceptance"`, null without a suggestion
 */
export const joinAcceptance = (
  userId: string,
  { rejectionRatio, kinds, doubtedAt }: AcceptanceModel,
): Prisma.Sql => {
  // The database would work out again what is named twice: the prior is named once.
  const prior = Prisma.sql`least(${LIMITS.highest}::float8, greatest(${LIMITS.lowest}::float8,
    ${rejectionRatio}::float8 * open."confidence" + (1 - ${rejectionRatio}::float8)))`;
  const ofKind = toShrunkByKind(prior, kinds);
  const { sender } = STRENGTHS;
  const { decided, accepted } = toCounted(doubtedAt);
  return Prisma.sql`
  LEFT JOIN "SenderAcceptance" AS known ON known."userId" = ${userId}::uuid
    AND known."senderKey" = message."senderKey" AND known."action" = open."action"
    AND known."classification" = open."classification"
  LEFT JOIN LATERAL (
    SELECT ${sender}::float8 / (${sender}::float8 + coalesce(${decided}, 0)) * (${ofKind})
      + coalesce(${accepted} / (${sender}::float8 + ${decided}), 0) AS "acceptance"
  ) AS learned ON open."emailId" IS NOT NULL`;
};

/** What counts of the sender's decisions, as `estimateAcceptance` has it. A subquery would change how tables are joined. */
const toCounted = (doubtedAt: Date | null): { decided: Prisma.Sql; accepted: Prisma.Sql } => {
  const [decided, accepted] = [Prisma.sql`known."decided"`, Prisma.sql`known."accepted"`];
  if (doubtedAt === null) return { decided, accepted };
  const isDoubted = Prisma.sql`known."decidedAt" <= ${doubtedAt}::timestamptz`;
  return {
    decided: Prisma.sql`CASE WHEN ${isDoubted} THEN ${decided} - ${accepted} ELSE ${decided} END`,
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
