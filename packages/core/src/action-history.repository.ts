import {
  ActionDetailsSchema,
  type ActionHistoryRecord,
  type ListActionHistoryQuery,
  type Page,
  RecordedActionSchema,
  type Suggestion,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';

type ActionHistoryRow = Prisma.ActionHistoryGetPayload<object>;

const toRecord = (row: ActionHistoryRow): ActionHistoryRecord => ({
  id: row.id,
  userId: row.userId,
  emailId: row.emailId,
  action: RecordedActionSchema.parse(row.action),
  timestamp: row.timestamp.toISOString(),
  details: ActionDetailsSchema.parse(row.details),
  undoneAt: row.undoneAt?.toISOString() ?? null,
});

/**
 * Inserts records in one statement; records that are there already are left alone.
 *
 * @returns the email ids of the records that were really inserted
 */
export const insertActionHistory = async (
  tx: Transaction,
  records: ActionHistoryRecord[],
): Promise<string[]> => {
  const inserted = await tx.$queryRaw<{ emailId: string }[]>`
    INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details")
    SELECT "id", "userId", "emailId", "action", "timestamp", "details"
    FROM jsonb_to_recordset(${JSON.stringify(records)}::jsonb) AS record(
      "id" uuid, "userId" uuid, "emailId" text, "action" text, "timestamp" timestamptz, "details" jsonb)
    ON CONFLICT ("id") DO NOTHING
    RETURNING "emailId"`;
  return inserted.map((row) => row.emailId);
};

/** A page of a person's records, newest first; the filters narrow `total` as well. */
export const listActionHistory = async (
  database: Database,
  userId: string,
  { page, perPage, source, action }: ListActionHistoryQuery,
): Promise<Page<ActionHistoryRecord>> => {
  const where: Prisma.ActionHistoryWhereInput = {
    userId,
    ...(action ? { action } : {}),
    ...(source ? { details: { path: ['source'], equals: source } } : {}),
  };
  const [total, rows] = await Promise.all([
    database.actionHistory.count({ where }),
    database.actionHistory.findMany({
      where,
      orderBy: [{ timestamp: 'desc' }, { id: 'desc' }],
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, page, perPage, data: rows.map(toRecord) };
};

/** The person's records with these ids, newest first; ids of others and unknown ones are not there. */
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

/** Notes records as undone; those undone before keep their time. */
export const markUndone = async (
  tx: Transaction,
  userId: string,
  ids: string[],
  undoneAt: Date,
): Promise<void> => {
  await tx.actionHistory.updateMany({
    where: { userId, id: { in: ids }, undoneAt: null },
    data: { undoneAt },
  });
};

/** The suggestions that the person has accepted or rejected for each email, and not taken back since. */
export const listAnsweredSuggestions = async (
  database: Database,
  userId: string,
  emailIds: string[],
): Promise<Map<string, Suggestion[]>> => {
  const rows = await database.actionHistory.findMany({
    where: { userId, emailId: { in: emailIds }, undoneAt: null, action: { in: ['accept', 'reject'] } },
    select: { emailId: true, details: true },
  });
  const answered = new Map<string, Suggestion[]>();
  for (const row of rows) {
    const { suggestions = [] } = ActionDetailsSchema.parse(row.details);
    answered.set(row.emailId, [...(answered.get(row.emailId) ?? []), ...suggestions]);
  }
  return answered;
};
