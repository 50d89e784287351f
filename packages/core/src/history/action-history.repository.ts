import {
  type ActionBatch,
  ActionBatchSchema,
  type ActionDetails,
  ActionDetailsSchema,
  type ActionHistoryRecord,
  ActionSourceSchema,
  type BatchSender,
  hasWords,
  type ListActionBatchesQuery,
  type ListActionHistoryQuery,
  type ListBatchSendersQuery,
  type Page,
  type Pagination,
  type RecordedAction,
  RecordedActionSchema,
  type Suggestion,
  toWords,
  UNKNOWN_SENDER,
} from '@mailsweep/contracts';
import { type Database, Prisma, readRows, type Transaction } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';
import { type ListedRow, toPage } from '../listed-row.ts';
import {
  type ActionBatchRow,
  type BatchSenderRow,
  findBatchRow,
  listBatchRows,
  listTopSenders,
} from './action-batch.repository.ts';

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

const TOP_SENDERS = 3;

/** Emails whose texts are decrypted before other requests get their turn. */
const SEARCHED_AT_ONCE = 2_000;

/** Shows the history by batches, senders and emails; senders and subjects are known as far as emails are cached. */
export const createBrowseHistory = (dependencies: { database: Database; cipher: TextCipher }) => {
  const { database, cipher } = dependencies;

  const toSenders = (userId: string, rows: BatchSenderRow[]): ActionBatch['senders'] => ({
    count: rows[0]?.senders ?? 0,
    top: rows.map(({ emailId, encryptedText, emails }) => ({
      // Without the key of the text, the sender is shown once the message is read again.
      from: readMessageText(cipher, userId, emailId, encryptedText)?.from ?? '',
      emails,
    })),
  });

  const toBatches = async (userId: string, rows: ActionBatchRow[]): Promise<ActionBatch[]> => {
    const ids = rows.map(({ id }) => id);
    const senders = ids.length === 0 ? [] : await listTopSenders(database, userId, ids, TOP_SENDERS);
    const sendersOf = Map.groupBy(senders, ({ batchId }) => batchId);
    return rows.map((row) => ({
      id: row.id,
      startedAt: row.startedAt.toISOString(),
      source: ActionSourceSchema.parse(row.source),
      action: RecordedActionSchema.parse(row.action),
      total: row.total,
      unchanged: row.unchanged,
      undone: row.undone,
      undo: row.undoState === null ? null : toUndo(row),
      senders: toSenders(userId, sendersOf.get(row.id) ?? []),
    }));
  };

  /**
   * The emails with records whose sender and subject have every word of a search. The database can't search encrypted
   * texts, so all of them are decrypted (docs/decisions/035).
   *
   * @returns undefined without a search
   */
  const findEmails = async (
    userId: string,
    search: string | undefined,
    batch: string | undefined,
  ): Promise<string[] | undefined> => {
    if (search === undefined) return undefined;
    const words = toWords(search);
    const found: string[] = [];
    for (let after = ''; ; ) {
      const rows = await listHandledMessages(database, userId, { batch, after, limit: SEARCHED_AT_ONCE });
      for (const { emailId, encryptedText } of rows) {
        const text = readMessageText(cipher, userId, emailId, encryptedText);
        if (text && hasWords(`${text.from} ${text.subject}`, words)) found.push(emailId);
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < SEARCHED_AT_ONCE) return found;
      after = last.emailId;
    }
  };

  return {
    async list(userId: string, query: ListActionHistoryQuery): Promise<Page<ActionHistoryRecord>> {
      const emailIds = await findEmails(userId, query.search, query.batch);
      return await listActionHistory(database, userId, query, emailIds);
    },

    async listBatches(userId: string, query: ListActionBatchesQuery): Promise<Page<ActionBatch>> {
      const emailIds = await findEmails(userId, query.search, query.batch);
      const { total, rows } = await listBatchRows(database, userId, query, emailIds);
      const { page, perPage } = query;
      return { total, page, perPage, data: await toBatches(userId, rows) };
    },

    /** A page of the senders of a batch, the one with the most emails first; null when the user has no such batch. */
    async listBatchSenders(
      userId: string,
      id: string,
      { search, ...pagination }: ListBatchSendersQuery,
    ): Promise<Page<BatchSender> | null> {
      if ((await findBatchRow(database, userId, id)) === null) return null;
      const emailIds = await findEmails(userId, search, id);
      return await listSendersOfBatch(database, userId, id, { ...pagination, emailIds }, (row) => ({
        sender: row.sender,
        from:
          (row.emailId && readMessageText(cipher, userId, row.emailId, row.encryptedText ?? '')?.from) || '',
        emails: row.emails,
        unchanged: row.unchanged,
        undone: row.undone,
      }));
    },

    async findBatch(userId: string, id: string): Promise<ActionBatch | null> {
      const row = await findBatchRow(database, userId, id);
      if (row === null) return null;
      const [batch] = await toBatches(userId, [row]);
      return batch ?? null;
    },
  };
};

const toUndo = ({ undoState, undoFailed }: ActionBatchRow): ActionBatch['undo'] =>
  ActionBatchSchema.shape.undo.parse({ state: undoState, failed: undoFailed });

/** An email with records, as it is cached. */
interface HandledEmailRow {
  emailId: string;
  encryptedText: string;
}

/**
 * Cached emails with history records, ordered by id.
 *
 * @param place.batch - only those of this batch
 * @param place.after - only those after this id
 */
const listHandledMessages = (
  database: Database,
  userId: string,
  { batch, after, limit }: { batch: string | undefined; after: string; limit: number },
): Promise<HandledEmailRow[]> =>
  database.$queryRaw<HandledEmailRow[]>`
    SELECT message."emailId", message."encryptedText" FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" > ${after} AND EXISTS (
      SELECT FROM "ActionHistory" AS record
      WHERE record."userId" = ${userId}::uuid AND record."emailId" = message."emailId" ${ofBatch(batch)})
    ORDER BY message."emailId" LIMIT ${limit}`;

const ofBatch = (batch: string | undefined): Prisma.Sql =>
  batch === undefined ? Prisma.empty : Prisma.sql`AND record."batchId" = ${batch}::uuid`;

const among = (emailIds: readonly string[] | undefined): Prisma.Sql =>
  emailIds === undefined ? Prisma.empty : Prisma.sql`AND record."emailId" = ANY(${emailIds}::text[])`;

/** One of the senders of a batch; without a sender, its emails that are not cached. */
interface SenderOfBatchRow {
  id: string;
  sender: string | null;
  emails: number;
  unchanged: number;
  undone: number;
  emailId: string | null;
  encryptedText: string | null;
}

/** A page of the senders of a batch, the one with the most records first. */
const listSendersOfBatch = async <Item>(
  database: Database,
  userId: string,
  batch: string,
  { page, perPage, emailIds }: Pagination & { emailIds: readonly string[] | undefined },
  toItem: (row: SenderOfBatchRow) => Item,
): Promise<Page<Item>> => {
  const rows = await database.$queryRaw<ListedRow<SenderOfBatchRow>[]>`
    WITH sender AS MATERIALIZED (
      SELECT nullif(message."senderKey", '') AS "senderKey", count(*)::int AS "emails", ${UNCHANGED} AS "unchanged",
        (count(record."undoneAt") FILTER (WHERE "outcome" IS DISTINCT FROM 'unchanged'))::int AS "undone",
        max(message."emailId") FILTER (WHERE message."senderKey" <> '') AS "emailId"
      FROM (SELECT *, ${OUTCOME} AS "outcome" FROM "ActionHistory") AS record LEFT JOIN "CachedMessage" AS message
        ON message."userId" = ${userId}::uuid AND message."emailId" = record."emailId"
      WHERE record."userId" = ${userId}::uuid ${ofBatch(batch)} ${among(emailIds)}
      GROUP BY 1
    ), listed AS (
      SELECT * FROM sender ORDER BY "senderKey" IS NULL, "emails" DESC, "senderKey"
      OFFSET ${(page - 1) * perPage} LIMIT ${perPage})
    SELECT coalesce(encode(listed."senderKey", 'hex'), CASE WHEN listed."emails" > 0 THEN ${UNKNOWN_SENDER} END) AS "id",
      encode(listed."senderKey", 'hex') AS "sender", listed."emails", listed."unchanged", listed."undone", listed."emailId",
      text."encryptedText", (SELECT count(*)::int FROM sender) AS "total"
    FROM (SELECT) AS always LEFT JOIN listed ON true
      LEFT JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = listed."emailId"
    ORDER BY listed."senderKey" IS NULL, listed."emails" DESC, listed."senderKey"`;
  return toPage(rows, { page, perPage }, toItem);
};
