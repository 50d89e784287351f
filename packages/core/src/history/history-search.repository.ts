import { type Page, type Pagination, UNKNOWN_SENDER } from '@mailsweep/contracts';
import { type Database, Prisma } from '@mailsweep/database';
import { type ListedRow, toPage } from '../listed-row.ts';

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
