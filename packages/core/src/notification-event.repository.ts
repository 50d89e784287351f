import type { DomainEventType, NotificationEventRecord, Page, Pagination } from '@mailsweep/contracts';
import { type Database, Prisma, readRows } from '@mailsweep/database';
import { type ListedRow, toPage } from './listed-row.ts';

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
 * A page of a person's stored events, newest first; of one type, or of all. The counts say in which day the
 * page begins and in which ten minutes of it, so that only events of those are passed over (docs/decisions/028).
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
      SELECT "day" AT TIME ZONE 'UTC' AS "start", ("day" + 1) AT TIME ZONE 'UTC' AS "end",
        ${offset} - ("through" - "count") AS "skipped"
      FROM days WHERE "through" > ${offset} ORDER BY "day" DESC LIMIT 1
    ), spans AS (
      SELECT "start", sum("count") AS "count", sum(sum("count")) OVER (ORDER BY "start" DESC) AS "through"
      FROM "NotificationEventSpan"
      WHERE "userId" = ${userId}::uuid ${ofType}
        AND "start" >= (SELECT "start" FROM first_day) AND "start" < (SELECT "end" FROM first_day)
      GROUP BY "start"
    ), beginning AS MATERIALIZED (
      SELECT spans."start" + interval '10 minutes' AS "end", "skipped" - ("through" - "count") AS "skipped"
      FROM spans, first_day WHERE "through" > "skipped" ORDER BY spans."start" DESC LIMIT 1
    ), ids AS (
      SELECT "id" FROM "NotificationEvent"
      WHERE "userId" = ${userId}::uuid AND "createdAt" < (SELECT "end" FROM beginning) ${ofType}
      ORDER BY "createdAt" DESC, "id" DESC
      OFFSET (SELECT "skipped" FROM beginning) LIMIT ${perPage}
    ), records AS (
      SELECT "id", "type", "userId", "summary", "createdAt", "updatedAt" FROM "NotificationEvent" WHERE "id" IN (SELECT "id" FROM ids)
    )
    SELECT records.*, (SELECT coalesce(sum("count"), 0)::int FROM days) AS "total"
    FROM (SELECT) AS always LEFT JOIN records ON true
    ORDER BY "createdAt" DESC, "id" DESC`,
  );
  return toPage(rows, { page, perPage }, toRecord);
};
