import type { DomainEventType, NotificationEventRecord, Page, Pagination } from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { type ListedRow, toPage } from '../listed-row.ts';

type NotificationEventRow = Prisma.NotificationEventGetPayload<object>;

/** The row as a record. Its type and summary are what the worker parsed before it wrote them. */
const toRecord = (row: NotificationEventRow): NotificationEventRecord => ({
  id: row.id,
  type: row.type as DomainEventType,
  userId: row.userId,
  summary: row.summary as NotificationEventRecord['summary'],
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/**
 * A page of a user's stored events, newest first; of one type, or of all. An index alone tells the total and the ids of
 * the page (docs/decisions/028).
 */
export const listStoredEvents = async (
  database: Database,
  userId: string,
  { page, perPage, type }: Pagination & { type?: DomainEventType | undefined },
): Promise<Page<NotificationEventRecord>> => {
  const ofType = type === undefined ? Prisma.empty : Prisma.sql`AND "type" = ${type}`;
  const matching = Prisma.sql`FROM "NotificationEvent" WHERE "userId" = ${userId}::uuid ${ofType}`;
  const rows = await readRows<ListedRow<NotificationEventRow>>(
    database,
    Prisma.sql`
    WITH records AS (
      SELECT "id", "type", "userId", "summary", "createdAt", "updatedAt" FROM "NotificationEvent" WHERE "id" = ANY(ARRAY(
        SELECT "id" ${matching} ORDER BY "createdAt" DESC, "id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage}))
    )
    SELECT records.*, (SELECT count(*)::int ${matching}) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "createdAt" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};
