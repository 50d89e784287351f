import {
  type ActionDetails,
  ActionDetailsSchema,
  type ActionHistoryRecord,
  type ListActionHistoryQuery,
  type Page,
  type RecordedAction,
  type Suggestion,
} from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { type ListedRow, toPage } from './listed-row.ts';

type ActionHistoryRow = Prisma.ActionHistoryGetPayload<object>;

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
 * A page of a person's records, newest first; the filters narrow `total` as well. Without filters the counts say
 * in which day the page begins and in which ten minutes of it, so that only records of those are passed over,
 * however deep the page is (docs/decisions/028). What filters leave is counted live.
 */
export const listActionHistory = async (
  database: Database,
  userId: string,
  { page, perPage, source, action }: ListActionHistoryQuery,
): Promise<Page<ActionHistoryRecord>> => {
  const offset = (page - 1) * perPage;
  const filters = [
    ...(action === undefined ? [] : [Prisma.sql`AND "action" = ${action}`]),
    ...(source === undefined ? [] : [Prisma.sql`AND "details"->>'source' = ${source}`]),
  ];
  const statement =
    filters.length === 0
      ? toCountedPage(userId, offset, perPage)
      : toFilteredPage(userId, offset, perPage, Prisma.join(filters, ' '));
  const rows = await database.$queryRaw<ListedRow<ActionHistoryRow>[]>(statement);
  return toPage(rows, { page, perPage }, toRecord);
};

const toCountedPage = (userId: string, offset: number, perPage: number): Prisma.Sql => Prisma.sql`
  WITH days AS MATERIALIZED (
    SELECT "day", "count", sum("count") OVER (ORDER BY "day" DESC) AS "through"
    FROM "ActionHistoryDay" WHERE "userId" = ${userId}::uuid
  ), first_day AS MATERIALIZED (
    SELECT "day" AT TIME ZONE 'UTC' AS "start", ("day" + 1) AT TIME ZONE 'UTC' AS "end",
      ${offset} - ("through" - "count") AS "skipped"
    FROM days WHERE "through" > ${offset} ORDER BY "day" DESC LIMIT 1
  ), spans AS (
    SELECT "start", "count", sum("count") OVER (ORDER BY "start" DESC) AS "through"
    FROM "ActionHistorySpan"
    WHERE "userId" = ${userId}::uuid
      AND "start" >= (SELECT "start" FROM first_day) AND "start" < (SELECT "end" FROM first_day)
  ), beginning AS MATERIALIZED (
    SELECT spans."start" + interval '10 minutes' AS "end", "skipped" - ("through" - "count") AS "skipped"
    FROM spans, first_day WHERE "through" > "skipped" ORDER BY spans."start" DESC LIMIT 1
  ), ids AS (
    SELECT "id" FROM "ActionHistory"
    WHERE "userId" = ${userId}::uuid AND "timestamp" < (SELECT "end" FROM beginning)
    ORDER BY "timestamp" DESC, "id" DESC
    OFFSET (SELECT "skipped" FROM beginning) LIMIT ${perPage}
  ), records AS (
    SELECT * FROM "ActionHistory" WHERE "id" IN (SELECT "id" FROM ids)
  )
  SELECT records.*, (SELECT coalesce(sum("count"), 0)::int FROM days) AS "total"
  FROM (SELECT) AS always LEFT JOIN records ON true
  ORDER BY "timestamp" DESC, "id" DESC`;

const toFilteredPage = (
  userId: string,
  offset: number,
  perPage: number,
  filters: Prisma.Sql,
): Prisma.Sql => Prisma.sql`
  WITH records AS (
    SELECT * FROM "ActionHistory" WHERE "userId" = ${userId}::uuid ${filters}
    ORDER BY "timestamp" DESC, "id" DESC OFFSET ${offset} LIMIT ${perPage}
  )
  SELECT records.*,
    (SELECT count(*)::int FROM "ActionHistory" WHERE "userId" = ${userId}::uuid ${filters}) AS "total"
  FROM (SELECT) AS always LEFT JOIN records ON true
  ORDER BY "timestamp" DESC, "id" DESC`;

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
  const rows = await database.actionHistory.findMany({
    where: { userId, emailId: { in: emailIds }, undoneAt: null, action: { in: ['accept', 'reject'] } },
    select: { emailId: true, details: true },
  });
  const answered = new Map<string, Suggestion[]>();
  for (const row of rows) {
    const { suggestions = [] } = ActionDetailsSchema.parse(row.details);
    answered.set(row.emailId, [...(answered.get(row.emailId) ?? []), ...suggestions]);
  }
  return answered;
};
