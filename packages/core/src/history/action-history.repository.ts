import {
  type ActionDetails,
  ActionDetailsSchema,
  type ActionHistoryRecord,
  type ListActionHistoryQuery,
  type Page,
  type RecordedAction,
  type Suggestion,
  UNKNOWN_SENDER,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { type ListedRow, toPage } from '../listed-row.ts';

type ActionHistoryRow = Prisma.ActionHistoryGetPayload<object>;

const RECORD_COLUMNS = Prisma.sql`"id", "userId", "emailId", "action", "timestamp", "details", "undoneAt", "batchId"`;

/** The row as a record. Its action and details are what {@link insertActionHistory} wrote, and are not parsed again. */
const toRecord = (row: ActionHistoryRow): ActionHistoryRecord => ({
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

/** Whether a record is of a cleanup of the suggestions of all senders: nobody has read them one by one (docs/LEARNING.md). */
const IS_IN_BULK = Prisma.sql`EXISTS (
  SELECT FROM "Cleanup" AS cleanup
  WHERE cleanup."userId" = record."userId" AND cleanup."batchId" = record."batchId"
    AND cleanup."selection"->>'type' = 'suggestions' AND cleanup."selection"->>'sender' IS NULL)`;

/** What came of a record; `unchanged` where there was nothing left to change, so that there is nothing to undo. */
export const OUTCOME = Prisma.sql`"details"->'gmailResponse'->>'status'`;

/** How many rows, which have an `outcome`, have changed the mailbox. */
export const CHANGED = Prisma.sql`(count(*) FILTER (WHERE "outcome" = 'ok'))::int`;
export const UNCHANGED = Prisma.sql`(count(*) FILTER (WHERE "outcome" = 'unchanged'))::int`;

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
      INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId", "senderKey", "isInBulk")
      SELECT "id", "userId", "emailId", "action", "timestamp", "details", "batchId", CASE WHEN ${IS_DECISION} THEN nullif(coalesce((
        SELECT message."senderKey" FROM "CachedMessage" AS message
        WHERE message."userId" = record."userId" AND message."emailId" = record."emailId"
      ), decode("senderId", 'hex')), '') END, ${IS_IN_BULK}
      FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS record(
        "id" uuid, "userId" uuid, "emailId" text, "action" text, "timestamp" timestamptz, "details" jsonb,
        "batchId" uuid, "senderId" text)
      ON CONFLICT ("id") DO NOTHING
      RETURNING "emailId", "userId", "action", "timestamp", coalesce("source", '') AS "source",
        ("details"->>'ruleId')::uuid AS "ruleId", "batchId", ${OUTCOME} AS "outcome"
    ), counted AS (
      INSERT INTO "ActionBatch" AS batch
        ("id", "userId", "source", "action", "ruleId", "startedAt", "total", "changed", "unchanged")
      SELECT "batchId", "userId", min("source"), min("action"), "ruleId", min("timestamp"), count(*), ${CHANGED}, ${UNCHANGED}
      FROM inserted GROUP BY "batchId", "userId", "ruleId" ORDER BY "batchId"
      ON CONFLICT ("id") DO UPDATE SET "total" = batch."total" + excluded."total",
        "changed" = batch."changed" + excluded."changed", "unchanged" = batch."unchanged" + excluded."unchanged",
        "updatedAt" = now()
    )
    SELECT "emailId" FROM inserted`;
  return inserted.map((row) => row.emailId);
};

/**
 * A page of a user's records, newest first; the filters narrow `total` as well. Without a sender and emails, an index
 * alone tells the total and the ids of the page, however deep (docs/decisions/028).
 *
 * @param emailIds - only records of these emails
 */
export const listActionHistory = async (
  database: Database,
  userId: string,
  { page, perPage, source, action, batch, sender }: ListActionHistoryQuery,
  emailIds?: readonly string[],
): Promise<Page<ActionHistoryRecord>> => {
  const conditions = [
    Prisma.sql`"userId" = ${userId}::uuid`,
    ...(source === undefined ? [] : [Prisma.sql`"source" = ${source}`]),
    ...(action === undefined ? [] : [Prisma.sql`"action" = ${action}`]),
    ...(batch === undefined ? [] : [Prisma.sql`"batchId" = ${batch}::uuid`]),
    ...(sender === undefined ? [] : [isOfSender(userId, sender)]),
    ...(emailIds === undefined ? [] : [Prisma.sql`"emailId" = ANY(${emailIds}::text[])`]),
  ];
  const matching = Prisma.sql`FROM "ActionHistory" AS record WHERE ${Prisma.join(conditions, ' AND ')}`;
  // Ids grow with time. By them alone, the index of batches has the records of a batch in their order.
  const order = batch === undefined ? Prisma.sql`"timestamp" DESC, "id" DESC` : Prisma.sql`"id" DESC`;
  const rows = await database.readDirectly<ListedRow<ActionHistoryRow>>(
    Prisma.sql`
    WITH records AS (
      SELECT ${RECORD_COLUMNS} FROM "ActionHistory" WHERE "id" = ANY(ARRAY(
        SELECT "id" ${matching} ORDER BY ${order} OFFSET ${(page - 1) * perPage} LIMIT ${perPage}))
    )
    SELECT records.*, (SELECT count(*)::int ${matching}) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "timestamp" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};

const isOfSender = (userId: string, sender: string): Prisma.Sql => {
  const cached = Prisma.sql`
    SELECT FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = record."emailId"`;
  return sender === UNKNOWN_SENDER
    ? Prisma.sql`NOT EXISTS (${cached} AND message."senderKey" <> '')`
    : Prisma.sql`EXISTS (${cached} AND message."senderKey" = decode(${sender}, 'hex'))`;
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

/**
 * Notes records as undone and counts those of them in their batches that had changed something; those undone before keep
 * their time. A confirmation that was given once more, and changed nothing, goes with the one that it repeats.
 */
export const markUndone = async (
  tx: Transaction,
  userId: string,
  ids: string[],
  undoneAt: Date,
): Promise<void> => {
  await tx.$executeRaw`
    WITH asked AS (
      SELECT * FROM "ActionHistory" WHERE "userId" = ${userId}::uuid AND "id" = ANY(${ids}::uuid[])
    ), open AS (
      SELECT "id" FROM "ActionHistory"
      WHERE "undoneAt" IS NULL AND "id" IN (
        SELECT "id" FROM asked
        UNION ALL
        SELECT record."id" FROM asked JOIN "ActionHistory" AS record
          ON record."userId" = asked."userId" AND record."emailId" = asked."emailId"
          AND record."action" = asked."action" AND record."source" = asked."source" AND record."timestamp" > asked."timestamp"
        WHERE asked."source" = 'suggestions' AND record."details"->'gmailResponse'->>'status' = 'unchanged')
      ORDER BY "id" FOR UPDATE
    ), marked AS (
      UPDATE "ActionHistory" AS record SET "undoneAt" = ${undoneAt}::timestamptz
      FROM open WHERE record."id" = open."id"
      RETURNING record."batchId", ${OUTCOME} AS "outcome"
    ), counts AS (
      SELECT "batchId", count(*)::int - ${UNCHANGED} AS "count", ${CHANGED} AS "changed" FROM marked GROUP BY "batchId"
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
