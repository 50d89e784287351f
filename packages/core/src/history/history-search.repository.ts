import {
  type ActionHistoryRecord,
  type ListActionHistoryQuery,
  type Page,
  type Pagination,
  UNKNOWN_SENDER,
} from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { type ListedRow, toPage } from '../listed-row.ts';
import { type ActionHistoryRow, RECORD_COLUMNS, toRecord } from './action-history.repository.ts';

/** An email with records, as it is cached. */
export interface HandledEmailRow {
  emailId: string;
  encryptedText: string;
}

/**
 * The cached emails of which there are records, in the order of their ids.
 *
 * @param place.batch - only those of this batch
 * @param place.after - only those after this id
 */
export const listHandledMessages = (
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

const bySender = (userId: string, sender: string | undefined): Prisma.Sql => {
  if (sender === undefined) return Prisma.empty;
  const cached = Prisma.sql`
    SELECT FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = record."emailId"`;
  return sender === UNKNOWN_SENDER
    ? Prisma.sql`AND NOT EXISTS (${cached})`
    : Prisma.sql`AND EXISTS (${cached} AND message."senderKey" = decode(${sender}, 'hex'))`;
};

/**
 * A page of the user's records of a sender, or of some emails, newest first.
 *
 * @param emailIds - only records of these emails
 */
export const listMatchingRecords = async (
  database: Database,
  userId: string,
  { page, perPage, source, action, batch, sender }: ListActionHistoryQuery,
  emailIds: readonly string[] | undefined,
): Promise<Page<ActionHistoryRecord>> => {
  const matching = Prisma.sql`
    FROM "ActionHistory" AS record
    WHERE record."userId" = ${userId}::uuid ${ofBatch(batch)} ${among(emailIds)} ${bySender(userId, sender)}
      ${source === undefined ? Prisma.empty : Prisma.sql`AND record."details"->>'source' = ${source}`}
      ${action === undefined ? Prisma.empty : Prisma.sql`AND record."action" = ${action}`}`;
  const rows = await database.readDirectly<ListedRow<ActionHistoryRow>>(
    Prisma.sql`
    WITH records AS (
      SELECT ${RECORD_COLUMNS} ${matching}
      ORDER BY "timestamp" DESC, "id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage})
    SELECT records.*, (SELECT count(*)::int ${matching}) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "timestamp" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};

/** One of the senders of a batch; without a sender, its emails that are not cached. */
export interface SenderOfBatchRow {
  id: string;
  sender: string | null;
  emails: number;
  undone: number;
  emailId: string | null;
  encryptedText: string | null;
}

/** A page of the senders of a batch, the one with the most records first. */
export const listSendersOfBatch = async <Item>(
  database: Database,
  userId: string,
  batch: string,
  { page, perPage, emailIds }: Pagination & { emailIds: readonly string[] | undefined },
  toItem: (row: SenderOfBatchRow) => Item,
): Promise<Page<Item>> => {
  const rows = await database.$queryRaw<ListedRow<SenderOfBatchRow>[]>`
    WITH sender AS MATERIALIZED (
      SELECT message."senderKey", count(*)::int AS "emails", count(record."undoneAt")::int AS "undone",
        max(message."emailId") AS "emailId"
      FROM "ActionHistory" AS record LEFT JOIN "CachedMessage" AS message
        ON message."userId" = ${userId}::uuid AND message."emailId" = record."emailId"
      WHERE record."userId" = ${userId}::uuid ${ofBatch(batch)} ${among(emailIds)}
      GROUP BY message."senderKey"
    ), listed AS (
      SELECT * FROM sender ORDER BY "senderKey" IS NULL, "emails" DESC, "senderKey"
      OFFSET ${(page - 1) * perPage} LIMIT ${perPage})
    SELECT coalesce(encode(listed."senderKey", 'hex'), CASE WHEN listed."emails" > 0 THEN ${UNKNOWN_SENDER} END) AS "id",
      encode(listed."senderKey", 'hex') AS "sender", listed."emails", listed."undone", listed."emailId",
      text."encryptedText", (SELECT count(*)::int FROM sender) AS "total"
    FROM (SELECT) AS always LEFT JOIN listed ON true
      LEFT JOIN "CachedMessage" AS text ON text."userId" = ${userId}::uuid AND text."emailId" = listed."emailId"
    ORDER BY listed."senderKey" IS NULL, listed."emails" DESC, listed."senderKey"`;
  return toPage(rows, { page, perPage }, toItem);
};
