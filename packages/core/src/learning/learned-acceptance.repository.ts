import { ACCEPTANCE_BANDS, type StoredSuggestion, type Suggestion } from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { fromCachedEmails } from '../emails/mail-overview.repository.ts';
import { type AcceptanceModel, DOUBT, type KindDecisions, learnModel, STRENGTHS } from './acceptance.ts';
import { rateBest } from './rate-best.ts';

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

/** What is confirmed for an email. */
export interface RatedEmail {
  suggestions: StoredSuggestion[];
  /** The sender's id: 64 hexadecimal digits; undefined where the email is not cached. */
  senderId: string | undefined;
}

/** Gives the best suggestion of each cached email the probability that the user accepts it, where it is shown. */
export const rateSuggestions = async (
  database: Database,
  userId: string,
  suggestions: ReadonlyMap<string, Suggestion[]>,
): Promise<Map<string, RatedEmail>> => {
  const model = await readAcceptanceModel(database, userId);
  const emailIds = [...suggestions.keys()];
  const rows = await database.$queryRaw<{ emailId: string; senderId: string; acceptance: number | null }[]>`
    SELECT message."emailId", encode(message."senderKey", 'hex') AS "senderId",
      CASE WHEN open."emailId" IS NOT NULL THEN learned."acceptance" END AS "acceptance"
    ${fromCachedEmails(userId, { model })} AND message."emailId" = ANY(${emailIds}::text[])`;
  const known = new Map(rows.map((row) => [row.emailId, row]));
  return new Map(
    [...suggestions].map(([emailId, list]) => {
      const { acceptance, senderId } = known.get(emailId) ?? {};
      return [emailId, { suggestions: rateBest(list, acceptance), senderId }];
    }),
  );
};
