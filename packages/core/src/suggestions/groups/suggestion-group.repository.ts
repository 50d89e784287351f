import {
  ACCEPTANCE_BANDS,
  type ListSuggestionGroupsQuery,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { z } from 'zod';
import type { AcceptanceModel } from '../../learning/acceptance.ts';
import { protectedSenderKeys } from '../../protections/protection.repository.ts';
import { fromCachedEmails } from '../cached-emails.repository.ts';
import { hasOpenSuggestion } from './suggestion-filter.repository.ts';

/** The emails of a group with the same action and classification. */
export interface GroupPart {
  action: string;
  classification: string;
  emails: number;
}

/** Emails that belong together. */
export interface SuggestionGroupRow {
  key: string;
  /** Whether the sender is protected; false for a group by classification. */
  isProtected: boolean;
  emails: number;
  parts: GroupPart[];
  leastConfidence: number;
  mostConfidence: number;
  leastAcceptance: number;
  mostAcceptance: number;
  sizeBytes: number;
  newest: Date;
  /** The newest email of the sender or of the group by classification; null where it is not cached any more. */
  emailId: string | null;
  encryptedText: string | null;
}

/** What all groups add up to; what they are called whatever the filter. */
export interface GroupTotals {
  total: number;
  sure: number;
  likely: number;
  check: number;
  /** Emails by action. */
  actions: { action: string; emails: number }[];
}

const KEYS: Record<SuggestionGrouping, Prisma.Sql> = {
  sender: Prisma.sql`encode(message."senderKey", 'hex')`,
  classification: Prisma.sql`open."classification"`,
};

const GroupPartsSchema = z.array(
  z.object({ action: z.string(), classification: z.string(), emails: z.number() }),
);
// Not a record: the service chooses the names, and a record drops `__proto__`.
const ActionsSchema = z.array(z.object({ action: z.string(), emails: z.number() }));
const NO_TOTALS = { total: 0, sure: 0, likely: 0, check: 0, actions: [] };

/**
 * A page of the groups of emails with open suggestions, and what all of them add up to. An email counts once, by its best
 * suggestion.
 */
export const listSuggestionGroupRows = async (
  database: Database,
  userId: string,
  { page, perPage, by, minConfidence, minAcceptance }: ListSuggestionGroupsQuery,
  model: AcceptanceModel,
): Promise<{ totals: GroupTotals; rows: SuggestionGroupRow[] }> => {
  const order = Prisma.sql`"emails" DESC, "mostConfidence" DESC, "key" COLLATE "C"`;
  const { sure, likely } = ACCEPTANCE_BANDS;
  const rows = await database.$queryRaw<(SuggestionGroupRow & GroupTotals)[]>`
    WITH suggested AS MATERIALIZED (
      SELECT ${KEYS[by]} AS "key", open."action", open."classification", open."confidence", learned."acceptance",
        message."emailId", message."sizeBytes", message."receivedAt",
        ${hasOpenSuggestion({ minConfidence, minAcceptance })} AS "isGrouped"
      ${fromCachedEmails(userId, { model })} AND ${hasOpenSuggestion({})}
    ), part AS MATERIALIZED (
      SELECT "key", "action", "classification", count(*)::int AS "emails",
        min("confidence") AS "least", max("confidence") AS "most",
        min("acceptance") AS "leastAcceptance", max("acceptance") AS "mostAcceptance",
        sum("sizeBytes")::float8 AS "sizeBytes", max("receivedAt") AS "newest"
      FROM suggested WHERE "isGrouped" GROUP BY 1, 2, 3
    ), suggestion_group AS MATERIALIZED (
      SELECT "key", sum("emails")::int AS "emails", min("least") AS "leastConfidence",
        max("most") AS "mostConfidence", min("leastAcceptance") AS "leastAcceptance",
        max("mostAcceptance") AS "mostAcceptance", sum("sizeBytes") AS "sizeBytes", max("newest") AS "newest",
        jsonb_agg(jsonb_build_object('action', "action", 'classification', "classification", 'emails', "emails")) AS "parts"
      FROM part GROUP BY "key"
    ), totals AS (
      SELECT (SELECT count(*) FROM suggestion_group)::int AS "total",
        (count(*) FILTER (WHERE "acceptance" >= ${sure}))::int AS "sure",
        (count(*) FILTER (WHERE "acceptance" >= ${likely} AND "acceptance" < ${sure}))::int AS "likely",
        (count(*) FILTER (WHERE "acceptance" < ${likely}))::int AS "check",
        (SELECT coalesce(jsonb_agg(to_jsonb(counted)), '[]') FROM (
          SELECT "action", sum("emails") AS "emails" FROM part GROUP BY "action") AS counted) AS "actions"
      FROM suggested
    )
    SELECT totals.*, shown.*, newest."emailId", text."encryptedText",
      CASE WHEN ${by} = 'sender'
        THEN decode(shown."key", 'hex') IN (${protectedSenderKeys(userId)}) ELSE false END AS "isProtected"
    FROM totals
    LEFT JOIN (
      SELECT * FROM suggestion_group ORDER BY ${order} LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) AS shown ON true
    LEFT JOIN LATERAL (
      SELECT message."emailId"
      FROM "MailboxSync" AS sync
      JOIN "CachedMessage" AS message
        ON message."userId" = sync."userId" AND message."generation" = sync."generation"
      WHERE ${by} = 'sender' AND sync."userId" = ${userId}::uuid
        AND message."senderKey" = decode(shown."key", 'hex') AND NOT message."isHidden"
      ORDER BY message."receivedAt" DESC LIMIT 1
    ) AS of_sender ON true
    LEFT JOIN (
      SELECT suggested."key" AS "classification", min("emailId") AS "emailId"
      FROM suggested JOIN suggestion_group ON suggestion_group."key" = suggested."key" AND "receivedAt" = "newest"
      WHERE ${by} = 'classification' AND "isGrouped" GROUP BY 1
    ) AS of_classification ON of_classification."classification" = shown."key"
    CROSS JOIN LATERAL (SELECT coalesce(of_sender."emailId", of_classification."emailId") AS "emailId") AS newest
    LEFT JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = newest."emailId"
    ORDER BY ${order}`;
  const [first] = rows;
  return {
    totals: first === undefined ? NO_TOTALS : { ...first, actions: ActionsSchema.parse(first.actions) },
    rows: rows
      .filter(({ key }) => key !== null)
      .map((row) => ({ ...row, parts: GroupPartsSchema.parse(row.parts) })),
  };
};
