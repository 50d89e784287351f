import { Prisma } from '@mailsweep/database';
import { type AcceptanceModel, LIMITS, STRENGTHS } from './acceptance.ts';

/**
 * Joins the probability that the user accepts a suggestion, as `estimateAcceptance` has it.
 *
 * @param of.senderKey - the sender of the email
 * @param of.suggestion - the suggestion as JSON; null for none
 * @returns joins that add `learned."acceptance"`, null without a suggestion
 */
export const joinAcceptance = (
  userId: string,
  { rejectionRatio, kinds }: AcceptanceModel,
  of: { senderKey: Prisma.Sql; suggestion: Prisma.Sql },
): Prisma.Sql => {
  // Each value is named once: the database would work out again what is named twice.
  const prior = Prisma.sql`least(${LIMITS.highest}::float8, greatest(${LIMITS.lowest}::float8,
    ${rejectionRatio}::float8 * (${of.suggestion}->>'confidence_score')::float8 + (1 - ${rejectionRatio}::float8)))`;
  const ofKind = toShrunk(prior, STRENGTHS.kind, Prisma.sql`kind`);
  return Prisma.sql`
  LEFT JOIN jsonb_to_recordset(${JSON.stringify(kinds)}::jsonb) AS kind(
      "action" text, "classification" text, "decided" float8, "accepted" float8)
    ON kind."action" = ${of.suggestion}->>'action' AND kind."classification" = ${of.suggestion}->>'classification'
  LEFT JOIN "SenderAcceptance" AS known ON known."userId" = ${userId}::uuid
    AND known."senderKey" = ${of.senderKey} AND known."action" = ${of.suggestion}->>'action'
    AND known."classification" = ${of.suggestion}->>'classification'
  LEFT JOIN LATERAL (
    SELECT ${toShrunk(ofKind, STRENGTHS.sender, Prisma.sql`known`)} AS "acceptance"
  ) AS learned ON ${of.suggestion} IS NOT NULL`;
};

/** The mean of a beta-binomial posterior. @param counts - a joined table with `decided` and `accepted`, or nulls */
const toShrunk = (prior: Prisma.Sql, strength: number, counts: Prisma.Sql): Prisma.Sql => Prisma.sql`
  ${strength}::float8 / (${strength}::float8 + coalesce(${counts}."decided", 0)) * (${prior})
    + coalesce(${counts}."accepted" / (${strength}::float8 + ${counts}."decided"), 0)`;
