import {
  type ActionBatch,
  ActionBatchSchema,
  type ActionHistoryRecord,
  ActionSourceSchema,
  type BatchSender,
  hasWords,
  type ListActionBatchesQuery,
  type ListActionHistoryQuery,
  type ListBatchSendersQuery,
  type Page,
  type Pagination,
  RecordedActionSchema,
  toWords,
  UNKNOWN_SENDER,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';
import { type ListedRow, toPage } from '../listed-row.ts';
import {
  type ActionBatchRow,
  type BatchSenderRow,
  findBatchRow,
  listBatchRows,
  listTopSenders,
} from './action-batch.repository.ts';
import { listActionHistory, OUTCOME, UNCHANGED } from './action-history.repository.ts';

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
