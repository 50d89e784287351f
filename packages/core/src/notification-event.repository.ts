import {
  type DomainEventType,
  DomainEventTypeSchema,
  type NotificationEventRecord,
  NotificationEventRecordSchema,
  type Page,
  type Pagination,
} from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';

type NotificationEventRow = Prisma.NotificationEventGetPayload<object>;

const toRecord = (row: NotificationEventRow): NotificationEventRecord => ({
  id: row.id,
  type: DomainEventTypeSchema.parse(row.type),
  userId: row.userId,
  summary: NotificationEventRecordSchema.shape.summary.parse(row.summary),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
});

/** A page of a person's stored events, newest first; of one type, or of all. */
export const listNotificationEvents = async (
  database: Database,
  userId: string,
  { page, perPage, type }: Pagination & { type?: DomainEventType | undefined },
): Promise<Page<NotificationEventRecord>> => {
  const where = { userId, ...(type === undefined ? {} : { type }) };
  const [total, rows] = await Promise.all([
    database.notificationEvent.count({ where }),
    database.notificationEvent.findMany({
      where,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, page, perPage, data: rows.map(toRecord) };
};
