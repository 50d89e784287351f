import {
  type ActionDetails,
  ActionDetailsSchema,
  type ActionHistoryRecord,
  type ListActionHistoryQuery,
  type Page,
  type RecordedAction,
  type Suggestion,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { type ListedRow, toPage } from './listed-row.ts';

type ActionHistoryRow = Prisma.ActionHistoryGetPayload<object>;

const COLUMNS = Prisma.sql`"id", "userId", "emailId", "action", "timestamp", "details", "undoneAt"`;

/** The row as a record. Its action and details are what {@link insertActionHistory} wrote, and are not parsed again. */
const toRecord = (row: ActionHistoryRow): ActionHistoryRecord => ({
  id: row.id,
  userId: row.userId,
  emailId: row.emailId,
  action: row.action as RecordedAction,
  timestamp: row.timestamp.toISOString(),
  details: row.details as ActionDetails,
  undoneAt: row.undoneAt?.toISOString() ?? null,
});

/**
 * Inserts records in one statement; records that are there already are left alone.
 *
 * @returns the email ids of the records that were really inserted
 */
export const insertActionHistory = async (
  tx: Transaction,
  records: ActionHistoryRecord[],
): Promise<string[]> => {
  const inserted = await tx.$queryRaw<{ emailId: string }[]>`
    INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
    SELECT "id", "userId", "emailId", "action", "timestamp", "details"
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS record(
      "id" uuid, "userId" uuid, "emailId" text, "action" text, "timestamp" timestamptz, "details" jsonb)
    ON CONFLICT ("id") DO NOTHING
    RETURNING "emailId"`;
  return inserted.map((row) => row.emailId);
};

/**
 * A page of a person's records, newest first; the filters narrow `total` as well. The total is a sum over a handful of
 * counts. On a deep page without filters further counts say in which month, day and ten minutes it begins, so that
 * only records of those minutes are passed over; what filters leave is passed over one by one (docs/decisions/028).
 */
export const listActionHistory = async (
  database: Database,
  userId: string,
  { page, perPage, source, action }: ListActionHistoryQuery,
): Promise<Page<ActionHistoryRecord>> => {
  const offset = (page - 1) * perPage;
  const isFiltered = source !== undefined || action !== undefined;
  const records =
    offset === 0 || isFiltered
      ? toRecords(userId, { source, action }, offset, perPage)
      : toDeepRecords(userId, offset, perPage);
  const rows = await readRows<ListedRow<ActionHistoryRow>>(
    database,
    Prisma.sql`
    WITH records AS (${records})
    SELECT records.*, (
      SELECT coalesce(sum("count"), 0)::int FROM "ActionHistoryTotal"
      WHERE "userId" = ${userId}::uuid ${andEquals(Prisma.sql`"action"`, action)}
        ${andEquals(Prisma.sql`"source"`, source)}
    ) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "timestamp" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};

const andEquals = (column: Prisma.Sql, value: string | undefined): Prisma.Sql =>
  value === undefined ? Prisma.empty : Prisma.sql`AND ${column} = ${value}`;

const toRecords = (
  userId: string,
  { source, action }: Pick<ListActionHistoryQuery, 'source' | 'action'>,
  offset: number,
  perPage: number,
): Prisma.Sql => Prisma.sql`
  SELECT ${COLUMNS} FROM "ActionHistory"
  WHERE "userId" = ${userId}::uuid ${andEquals(Prisma.sql`"action"`, action)}
    ${andEquals(Prisma.sql`"details"->>'source'`, source)}
  ORDER BY "timestamp" DESC, "id" DESC OFFSET ${offset} LIMIT ${perPage}`;

/** Each step finds, among the counts within what the step before found, where the page begins and what is skipped there. */
const toDeepRecords = (userId: string, offset: number, perPage: number): Prisma.Sql => Prisma.sql`
  WITH first_month AS MATERIALIZED (
    SELECT "month", ${offset} - ("through" - "count") AS "skipped"
    FROM (
      SELECT "month", "count", sum("count") OVER (ORDER BY "month" DESC) AS "through"
      FROM "ActionHistoryMonth" WHERE "userId" = ${userId}::uuid
    ) AS months
    WHERE "through" > ${offset} ORDER BY "month" DESC LIMIT 1
  ), first_day AS MATERIALIZED (
    SELECT "day", "skipped" - ("through" - "count") AS "skipped"
    FROM (
      SELECT "day", "count", sum("count") OVER (ORDER BY "day" DESC) AS "through"
      FROM "ActionHistoryDay"
      WHERE "userId" = ${userId}::uuid AND "day" >= (SELECT "month" FROM first_month)
        AND "day" < (SELECT "month" + interval '1 month' FROM first_month)
    ) AS days, first_month
    WHERE "through" > "skipped" ORDER BY "day" DESC LIMIT 1
  ), first_span AS MATERIALIZED (
    SELECT "start" + interval '10 minutes' AS "end", "skipped" - ("through" - "count") AS "skipped"
    FROM (
      SELECT "start", "count", sum("count") OVER (ORDER BY "start" DESC) AS "through"
      FROM "ActionHistorySpan"
      WHERE "userId" = ${userId}::uuid AND "start" >= (SELECT "day" AT TIME ZONE 'UTC' FROM first_day)
        AND "start" < (SELECT ("day" + 1) AT TIME ZONE 'UTC' FROM first_day)
    ) AS spans, first_day
    WHERE "through" > "skipped" ORDER BY "start" DESC LIMIT 1
  ), ids AS (
    SELECT "id" FROM "ActionHistory"
    WHERE "userId" = ${userId}::uuid AND "timestamp" < (SELECT "end" FROM first_span)
    ORDER BY "timestamp" DESC, "id" DESC
    OFFSET (SELECT "skipped" FROM first_span) LIMIT ${perPage}
  )
  SELECT ${COLUMNS} FROM "ActionHistory" WHERE "id" IN (SELECT "id" FROM ids)`;

/** The person's records with these ids, newest first; ids of others and unknown ones are not there. */
export const findActionHistory = async (
  database: Database,
  userId: string,
  ids: string[],
): Promise<ActionHistoryRecord[]> => {
  const rows = await database.actionHistory.findMany({
    where: { userId, id: { in: ids } },
    orderBy: [{ timestamp: 'desc' }, { id: 'desc' }],
  });
  return rows.map(toRecord);
};

/** Notes records as undone; those undone before keep their time. */
export const markUndone = async (
  tx: Transaction,
  userId: string,
  ids: string[],
  undoneAt: Date,
): Promise<void> => {
  await tx.actionHistory.updateMany({
    where: { userId, id: { in: ids }, undoneAt: null },
    data: { undoneAt },
  });
};

/** The suggestions that the person has accepted or rejected for each email, and not taken back since. */
export const listAnsweredSuggestions = async (
  database: Database,
  userId: string,
  emailIds: string[],
): Promise<Map<string, Suggestion[]>> => {
  const rows = await readRows<Pick<ActionHistoryRow, 'emailId' | 'details'>>(
    database,
    Prisma.sql`
    SELECT "emailId", "details" FROM "ActionHistory"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[]) AND "undoneAt" IS NULL
      AND "action" IN ('accept', 'reject')`,
  );
  const answered = new Map<string, Suggestion[]>();
  for (const row of rows) {
    const { suggestions = [] } = ActionDetailsSchema.parse(row.details);
    answered.set(row.emailId, [...(answered.get(row.emailId) ?? []), ...suggestions]);
  }
  return answered;
};
