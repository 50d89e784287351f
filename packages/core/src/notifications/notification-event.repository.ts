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
 * A page of a user's stored events, newest first; of one type, or of all. The counts of days say in which day the page
 * begins, so that only events of that day are skipped one by one (docs/decisions/028).
 */
export const listNotificationEvents = async (
  database: Database,
  userId: string,
  { page, perPage, type }: Pagination & { type?: DomainEventType | undefined },
): Promise<Page<NotificationEventRecord>> => {
  const offset = (page - 1) * perPage;
  const ofType = type === undefined ? Prisma.empty : Prisma.sql`AND "type" = ${type}`;
  const rows = await readRows<ListedRow<NotificationEventRow>>(
    database,
    Prisma.sql`
    WITH days AS MATERIALIZED (
      SELECT "day", sum("count") AS "count", sum(sum("count")) OVER (ORDER BY "day" DESC) AS "through"
      FROM "NotificationEventDay" WHERE "userId" = ${userId}::uuid ${ofType} GROUP BY "day"
    ), first_day AS MATERIALIZED (
      SELECT ("day" + 1) AT TIME ZONE 'UTC' AS "end", ${offset} - ("through" - "count") AS "skipped"
      FROM days WHERE "through" > ${offset} ORDER BY "day" DESC LIMIT 1
    ), ids AS (
      SELECT "id" FROM "NotificationEvent"
      WHERE "userId" = ${userId}::uuid AND "createdAt" < (SELECT "end" FROM first_day) ${ofType}
      ORDER BY "createdAt" DESC, "id" DESC
      OFFSET (SELECT "skipped" FROM first_day) LIMIT ${perPage}
    ), records AS (
      SELECT "id", "type", "userId", "summary", "createdAt", "updatedAt" FROM "NotificationEvent" WHERE "id" IN (SELECT "id" FROM ids)
    )
    SELECT records.*, (SELECT coalesce(sum("count"), 0)::int FROM days) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "createdAt" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};
