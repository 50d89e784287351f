import {
  ACCEPTANCE_BANDS,
  type Counts,
  type ListSuggestionGroupsQuery,
  type ListSuggestionGroupsResponse,
  MAX_GROUP_LABELS,
  type SuggestionGroup,
  type SuggestionGrouping,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';
import { z } from 'zod';
import type { AcceptanceModel } from '../../learning/acceptance.ts';
import { readAcceptanceModel } from '../../learning/learned-acceptance.repository.ts';
import { protectedSenderKeys } from '../../protections/protection.repository.ts';
import { fromCachedEmails } from '../cached-emails.repository.ts';
import { findLastWholeScan } from '../email-suggestion.repository.ts';
import { hasOpenSuggestion } from './suggestion-filter.repository.ts';

/** Groups the emails with open suggestions of a whole mailbox by sender, or by classification. */
export const createListSuggestionGroups =
  ({ database, cipher }: { database: Database; cipher: TextCipher }) =>
  async (userId: string, query: ListSuggestionGroupsQuery): Promise<ListSuggestionGroupsResponse> => {
    const model = await readAcceptanceModel(database, userId);
    const [{ totals, rows }, scan] = await Promise.all([
      listSuggestionGroupRows(database, userId, query, model),
      findLastWholeScan(database, userId),
    ]);
    const { total, actions, degrees } = totals;
    const ofDegree = (wanted: string) => degrees.filter(({ degree }) => degree === wanted);
    const byDegree = <T>(toValue: (found: ActionCount[]) => T) => ({
      sure: toValue(ofDegree('sure')),
      likely: toValue(ofDegree('likely')),
      check: toValue(ofDegree('check')),
    });
    return {
      total,
      page: query.page,
      perPage: query.perPage,
      data: rows.map((row) => toGroup(query.by, row, readSender(row))),
      emails: sumEmails(actions),
      actions: toCounts(actions),
      confidence: byDegree(sumEmails),
      actionsByDegree: byDegree(toCounts),
      complete: scan?.isTrusted ?? false,
      scannedAt: scan?.finishedAt.toISOString() ?? null,
    };

    /** Empty where the key of the text was deleted. */
    function readSender({ emailId, encryptedText }: SuggestionGroupRow): string {
      if (emailId === null || encryptedText === null) return '';
      return readMessageText(cipher, userId, emailId, encryptedText)?.from ?? '';
    }
  };

const sumEmails = (counts: readonly ActionCount[]): number =>
  counts.reduce((sum, { emails }) => sum + emails, 0);

const toCounts = (counts: readonly ActionCount[]): Counts =>
  Object.fromEntries(counts.map(({ action, emails }) => [action, emails]));

const toGroup = (by: SuggestionGrouping, row: SuggestionGroupRow, sender: string): SuggestionGroup => ({
  key: row.key,
  by,
  from: by === 'sender' ? sender : null,
  classification: by === 'classification' ? row.key : null,
  protected: row.isProtected,
  emails: row.emails,
  actions: countBy(row.parts, ({ action }) => action),
  classifications: countBy(row.parts, ({ classification }) => classification),
  labels: row.parts
    .filter(({ action }) => action === 'label')
    .toSorted(
      (one, other) => other.emails - one.emails || (one.classification < other.classification ? -1 : 1),
    )
    .map(({ classification }) => classification)
    .slice(0, MAX_GROUP_LABELS),
  leastConfidence: row.leastConfidence,
  mostConfidence: row.mostConfidence,
  leastAcceptance: row.leastAcceptance,
  mostAcceptance: row.mostAcceptance,
  sizeBytes: row.sizeBytes,
  newest: row.newest.toISOString(),
  newestFrom: sender,
});

const countBy = (parts: readonly GroupPart[], nameOf: (part: GroupPart) => string): Counts => {
  const counts = new Map<string, number>();
  for (const part of parts) counts.set(nameOf(part), (counts.get(nameOf(part)) ?? 0) + part.emails);
  return Object.fromEntries(counts);
};

/** The emails of a group with the same action and classification. */
interface GroupPart {
  action: string;
  classification: string;
  emails: number;
}

interface SuggestionGroupRow {
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

interface ActionCount {
  action: string;
  emails: number;
}

/** What all groups add up to; the degrees whatever the filter. */
interface GroupTotals {
  total: number;
  actions: ActionCount[];
  degrees: (ActionCount & { degree: string })[];
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
const DegreesSchema = z.array(ActionsSchema.element.extend({ degree: z.string() }));
const NO_TOTALS = { total: 0, actions: [], degrees: [] };

/**
 * A page of the groups of emails with open suggestions, and what all of them add up to. An email counts once, by its best
 * suggestion.
 */
const listSuggestionGroupRows = async (
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
        (SELECT coalesce(jsonb_agg(to_jsonb(counted)), '[]') FROM (
          SELECT "action", sum("emails") AS "emails" FROM part GROUP BY "action") AS counted) AS "actions",
        (SELECT coalesce(jsonb_agg(to_jsonb(counted)), '[]') FROM (
          SELECT CASE WHEN "acceptance" >= ${sure} THEN 'sure' WHEN "acceptance" >= ${likely} THEN 'likely'
            ELSE 'check' END AS "degree", "action", count(*) AS "emails"
          FROM suggested GROUP BY 1, 2) AS counted) AS "degrees"
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
      FROM "CachedMessage" AS message
      WHERE ${by} = 'sender' AND message."userId" = ${userId}::uuid
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
    totals: first
      ? {
          ...first,
          actions: ActionsSchema.parse(first.actions),
          degrees: DegreesSchema.parse(first.degrees),
        }
      : NO_TOTALS,
    rows: rows
      .filter(({ key }) => key !== null)
      .map((row) => ({ ...row, parts: GroupPartsSchema.parse(row.parts) })),
  };
};
