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
import { type ListedRow, toPage } from '../listed-row.ts';

export type ActionHistoryRow = Prisma.ActionHistoryGetPayload<object>;

/** The columns that {@link toRecord} reads. */
export const RECORD_COLUMNS = Prisma.sql`"id", "userId", "emailId", "action", "timestamp", "details", "undoneAt", "batchId"`;

/** The row as a record. Its action and details are what {@link insertActionHistory} wrote, and are not parsed again. */
export const toRecord = (row: ActionHistoryRow): ActionHistoryRecord => ({
  id: row.id,
  userId: row.userId,
  emailId: row.emailId,
  action: row.action as RecordedAction,
  timestamp: row.timestamp.toISOString(),
  details: row.details as ActionDetails,
  undoneAt: row.undoneAt?.toISOString() ?? null,
  batchId: row.batchId,
});

/**
 * Whether a record has what the user decided about a suggestion; Mailsweep learns from it (docs/decisions/047). Another
 * action than the suggested one has its own name, and teaches nothing.
 */
const IS_DECISION = Prisma.sql`"action" IN ('accept', 'reject')
  AND "details"->>'source' = 'suggestions' AND "details"->'suggestions'->0 IS NOT NULL`;

/** Whether a record has changed the mailbox. */
export const HAS_CHANGED = Prisma.sql`"details"->'gmailResponse'->>'status' = 'ok'`;

/**
 * Inserts records and counts them in their batches, in one statement; records that are there already are left alone. A
 * batch begins with its first record. Batches are locked in the order of their ids, so that two statements that add to
 * the same ones can't deadlock.
 *
 * @param records.senderId - who sent the email; otherwise it is looked up in the cache
 * @returns the email ids of the records that were really inserted
 */
export const insertActionHistory = async (
  tx: Transaction,
  records: (ActionHistoryRecord & { senderId?: string })[],
): Promise<string[]> => {
  const inserted = await tx.$queryRaw<{ emailId: string }[]>`
    WITH inserted AS (
      INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId", "senderKey")
      SELECT "id", "userId", "emailId", "action", "timestamp", "details", "batchId", CASE WHEN ${IS_DECISION} THEN coalesce((
        SELECT message."senderKey" FROM "CachedMessage" AS message
        WHERE message."userId" = record."userId" AND message."emailId" = record."emailId"
      ), decode("senderId", 'hex')) END
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS record(
        "id" uuid, "userId" uuid, "emailId" text, "action" text, "timestamp" timestamptz, "details" jsonb,
        "batchId" uuid, "senderId" text)
      ON CONFLICT ("id") DO NOTHING
      RETURNING "emailId", "userId", "action", "timestamp", "sourceOfAction"("details") AS "source",
        ("details"->>'ruleId')::uuid AS "ruleId", "batchId", ${HAS_CHANGED} AS "hasChanged"
    ), counted AS (
      INSERT INTO "ActionBatch" AS batch ("id", "userId", "source", "action", "ruleId", "startedAt", "total", "changed")
      SELECT "batchId", "userId", min("source"), min("action"), "ruleId", min("timestamp"), count(*),
        count(*) FILTER (WHERE "hasChanged")
      FROM inserted GROUP BY "batchId", "userId", "ruleId" ORDER BY "batchId"
      ON CONFLICT ("id") DO UPDATE SET "total" = batch."total" + excluded."total",
        "changed" = batch."changed" + excluded."changed", "updatedAt" = now()
    )
    SELECT "emailId" FROM inserted`;
  return inserted.map((row) => row.emailId);
};

/**
 * A page of a user's records, newest first; the filters narrow `total` as well. The total is a sum over a handful of
 * stored counts (docs/decisions/028). With filters, a deep page skips records one by one.
 */
export const listActionHistory = async (
  database: Database,
  userId: string,
  { page, perPage, source, action, batch }: ListActionHistoryQuery,
): Promise<Page<ActionHistoryRecord>> => {
  const offset = (page - 1) * perPage;
  const isFiltered = source !== undefined || action !== undefined || batch !== undefined;
  const records =
    offset === 0 || isFiltered
      ? toRecords(userId, { source, action, batch }, offset, perPage)
      : toDeepRecords(userId, offset, perPage);
  const counts = batch === undefined ? TOTALS : toCountsOfBatch(batch);
  const rows = await database.readDirectly<ListedRow<ActionHistoryRow>>(
    Prisma.sql`
    WITH records AS (${records})
    SELECT records.*, (
      SELECT coalesce(sum("count"), 0)::int FROM ${counts}
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

const TOTALS = Prisma.sql`"ActionHistoryTotal"`;

/** A batch counts its own records, which all have the same action and source. */
const toCountsOfBatch = (batch: string): Prisma.Sql => Prisma.sql`(
  SELECT "userId", "action", "source", "total" AS "count" FROM "ActionBatch" WHERE "id" = ${batch}::uuid
) AS counts`;

/** Ids grow with time. By them alone, the index of batches has the records of a batch in their order. */
const toRecords = (
  userId: string,
  { source, action, batch }: Pick<ListActionHistoryQuery, 'source' | 'action' | 'batch'>,
  offset: number,
  perPage: number,
): Prisma.Sql => Prisma.sql`
  SELECT ${RECORD_COLUMNS} FROM "ActionHistory"
  WHERE "userId" = ${userId}::uuid ${andEquals(Prisma.sql`"action"`, action)}
    ${andEquals(Prisma.sql`"details"->>'source'`, source)}
    ${batch === undefined ? Prisma.empty : Prisma.sql`AND "batchId" = ${batch}::uuid`}
  ORDER BY ${batch === undefined ? Prisma.sql`"timestamp" DESC, "id" DESC` : Prisma.sql`"id" DESC`}
  OFFSET ${offset} LIMIT ${perPage}`;

/**
 * The counts of days say in which day the page begins. Records of that day are skipped one by one, from its nearer end,
 * up to the first record of the page.
 */
const toDeepRecords = (userId: string, offset: number, perPage: number): Prisma.Sql => {
  const ofDay = Prisma.sql`"userId" = ${userId}::uuid
    AND "timestamp" >= (SELECT "day" AT TIME ZONE 'UTC' FROM first_day)
    AND "timestamp" < (SELECT ("day" + 1) AT TIME ZONE 'UTC' FROM first_day)`;
  return Prisma.sql`
  WITH first_day AS MATERIALIZED (
    SELECT "day", ${offset} - ("through" - "count") AS "newer", "through" - ${offset} - 1 AS "older"
    FROM (
      SELECT "day", "count", sum("count") OVER (ORDER BY "day" DESC) AS "through"
      FROM "ActionHistoryDay" WHERE "userId" = ${userId}::uuid
    ) AS days
    WHERE "through" > ${offset} ORDER BY "day" DESC LIMIT 1
  ), first_record AS MATERIALIZED (
    (SELECT "timestamp", "id" FROM "ActionHistory"
     WHERE ${ofDay} AND (SELECT "newer" <= "older" FROM first_day)
     ORDER BY "timestamp" DESC, "id" DESC OFFSET (SELECT "newer" FROM first_day) LIMIT 1)
    UNION ALL
    (SELECT "timestamp", "id" FROM "ActionHistory"
     WHERE ${ofDay} AND (SELECT "newer" > "older" FROM first_day)
     ORDER BY "timestamp", "id" OFFSET (SELECT "older" FROM first_day) LIMIT 1)
  )
  SELECT ${RECORD_COLUMNS} FROM "ActionHistory"
  WHERE "userId" = ${userId}::uuid
    AND ("timestamp", "id") <= (SELECT "timestamp", "id" FROM first_record)
  ORDER BY "timestamp" DESC, "id" DESC LIMIT ${perPage}`;
};

/** The user's records with these ids, newest first; ids of others and unknown ones are not there. */
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

/** Notes records as undone and counts them in their batches; those undone before keep their time. */
export const markUndone = async (
  tx: Transaction,
  userId: string,
  ids: string[],
  undoneAt: Date,
): Promise<void> => {
  await tx.$executeRaw`
    WITH open AS (
      SELECT "id" FROM "ActionHistory"
      WHERE "userId" = ${userId}::uuid AND "id" = ANY(${ids}::uuid[]) AND "undoneAt" IS NULL
      ORDER BY "id" FOR UPDATE
    ), marked AS (
      UPDATE "ActionHistory" AS record SET "undoneAt" = ${undoneAt}::timestamptz
      FROM open WHERE record."id" = open."id"
      RETURNING record."batchId", ${HAS_CHANGED} AS "hasChanged"
    ), counts AS (
      SELECT "batchId", count(*)::int AS "count", (count(*) FILTER (WHERE "hasChanged"))::int AS "changed" FROM marked GROUP BY "batchId"
    ), locked AS (
      SELECT "id" FROM "ActionBatch" WHERE "id" IN (SELECT "batchId" FROM counts) ORDER BY "id" FOR UPDATE
    )
    UPDATE "ActionBatch" AS batch SET "undone" = batch."undone" + counts."count",
      "changedUndone" = batch."changedUndone" + counts."changed", "updatedAt" = now()
    FROM locked JOIN counts ON counts."batchId" = locked."id" WHERE batch."id" = locked."id"`;
};

/** The batch of records, or undefined where there are none of them any more. */
export const findBatchOfRecords = async (
  database: Database,
  userId: string,
  recordIds: string[],
): Promise<string | undefined> => {
  const record = await database.actionHistory.findFirst({
    where: { userId, id: { in: recordIds } },
    select: { batchId: true },
  });
  return record?.batchId;
};

/** The suggestions that the user has decided about for each email, and not undone since. */
export const listConfirmedSuggestions = async (
  database: Database,
  userId: string,
  emailIds: string[],
): Promise<Map<string, Suggestion[]>> => {
  const rows = await readRows<Pick<ActionHistoryRow, 'emailId' | 'details'>>(
    database,
    Prisma.sql`
    SELECT "emailId", "details" FROM "ActionHistory"
    WHERE "userId" = ${userId}::uuid AND "emailId" = ANY(${emailIds}::text[]) AND "undoneAt" IS NULL
      AND "source" = 'suggestions'`,
  );
  const confirmed = new Map<string, Suggestion[]>();
  for (const row of rows) {
    const { suggestions = [] } = ActionDetailsSchema.parse(row.details);
    confirmed.set(row.emailId, [...(confirmed.get(row.emailId) ?? []), ...suggestions]);
  }
  return confirmed;
};
