import type {
  ListStoppedSuggestionsResponse,
  Pagination,
  StoppedSuggestion,
  Suggestion,
} from '@mailsweep/contracts';
import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { readMessageText, type TextCipher } from '@mailsweep/mail/message-cache';

const toStopped = (
  cipher: TextCipher,
  userId: string,
  { id, senderKey, action, stoppedAt, emailId, encryptedText }: StoppedSuggestionRow,
): StoppedSuggestion => {
  const text =
    emailId === null || encryptedText === null
      ? undefined
      : readMessageText(cipher, userId, emailId, encryptedText);
  return {
    id,
    sender: Buffer.from(senderKey).toString('hex'),
    from: text?.from ?? '',
    action,
    stoppedAt: stoppedAt.toISOString(),
  };
};

/** What is no longer suggested since these rejections were recorded. */
export const listStoppedBy = async (
  { database, cipher }: { database: Database; cipher: TextCipher },
  userId: string,
  recordIds: readonly string[],
): Promise<StoppedSuggestion[]> => {
  const rows = await listRowsStoppedBy(database, userId, recordIds);
  return rows.map((row) => toStopped(cipher, userId, row));
};

/** What the user rejected so often that it is no longer suggested (docs/decisions/047). */
export const createStoppedSuggestions = ({
  database,
  cipher,
  nowMs = Date.now,
}: {
  database: Database;
  cipher: TextCipher;
  nowMs?: () => number;
}) => {
  return {
    async listStopped(userId: string, pagination: Pagination): Promise<ListStoppedSuggestionsResponse> {
      const { total, rows } = await listStoppedRows(database, userId, pagination);
      return { total, ...pagination, data: rows.map((row) => toStopped(cipher, userId, row)) };
    },

    /** @returns whether the action was stopped */
    allow: (userId: string, id: string): Promise<boolean> =>
      allowStopped(database, userId, id, new Date(nowMs())),
  };
};

interface StoppedSuggestionRow {
  id: string;
  senderKey: Uint8Array;
  action: string;
  stoppedAt: Date;
  /** The newest email of the sender; null where none is cached. */
  emailId: string | null;
  encryptedText: string | null;
}

/** The actions that are no longer suggested, by sender: `senderKey`, and `actions` as a JSON array. */
export const stoppedActions = (userId: string): Prisma.Sql => Prisma.sql`
  SELECT "senderKey", jsonb_agg("action") AS "actions" FROM "StoppedSuggestion"
  WHERE "userId" = ${userId}::uuid AND "stoppedAt" IS NOT NULL GROUP BY "senderKey"`;

/** Leaves out the suggestions of cached emails that the user no longer wants from their senders. */
export const withholdStopped = async <T extends { id: string; suggestions: Suggestion[] }>(
  database: Database | Transaction,
  userId: string,
  emails: readonly T[],
): Promise<T[]> => {
  const ids = emails.map(({ id }) => id);
  const rows = await database.$queryRaw<{ emailId: string; actions: string[] }[]>`
    SELECT message."emailId", stop."actions"
    FROM "CachedMessage" AS message
    JOIN (${stoppedActions(userId)}) AS stop ON stop."senderKey" = message."senderKey"
    WHERE message."userId" = ${userId}::uuid AND message."emailId" = ANY(${ids}::text[])`;
  const stopped = new Map(rows.map(({ emailId, actions }) => [emailId, new Set(actions)]));
  return emails.map((email) => {
    const actions = stopped.get(email.id);
    if (actions === undefined) return email;
    return { ...email, suggestions: email.suggestions.filter(({ action }) => !actions.has(action)) };
  });
};

/** Joins the newest cached email of the sender of `stop`. */
const joinNewest = (userId: string): Prisma.Sql => Prisma.sql`
  LEFT JOIN LATERAL (
    SELECT message."emailId", message."encryptedText" FROM "CachedMessage" AS message
    WHERE message."userId" = ${userId}::uuid AND message."senderKey" = stop."senderKey"
    ORDER BY message."receivedAt" DESC LIMIT 1
  ) AS newest ON true`;

/** What is no longer suggested since one of these rejections. */
const listRowsStoppedBy = (
  database: Database,
  userId: string,
  recordIds: readonly string[],
): Promise<StoppedSuggestionRow[]> => database.$queryRaw<StoppedSuggestionRow[]>`
  SELECT stop."id"::text AS "id", stop."senderKey", stop."action", stop."stoppedAt", newest."emailId",
    newest."encryptedText"
  FROM "StoppedSuggestion" AS stop ${joinNewest(userId)}
  WHERE stop."userId" = ${userId}::uuid AND EXISTS (
    SELECT FROM "ActionHistory" AS record
    WHERE record."id" = ANY(${recordIds}::uuid[]) AND record."userId" = ${userId}::uuid
      AND record."action" = 'reject' AND record."senderKey" = stop."senderKey"
      AND record."suggestedAction" = stop."action" AND record."timestamp" = stop."stoppedAt")
  ORDER BY stop."id"`;

const listStoppedRows = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<{ total: number; rows: StoppedSuggestionRow[] }> => {
  const total = await database.stoppedSuggestion.count({ where: { userId, stoppedAt: { not: null } } });
  const rows = await database.$queryRaw<StoppedSuggestionRow[]>`
    SELECT stop."id"::text AS "id", stop."senderKey", stop."action", stop."stoppedAt", newest."emailId",
      newest."encryptedText"
    FROM (
      SELECT * FROM "StoppedSuggestion" WHERE "userId" = ${userId}::uuid AND "stoppedAt" IS NOT NULL
      ORDER BY "stoppedAt" DESC, "id" LIMIT ${perPage} OFFSET ${(page - 1) * perPage}
    ) AS stop ${joinNewest(userId)}
    ORDER BY stop."stoppedAt" DESC, stop."id"`;
  return { total, rows };
};

/** Lets an action be suggested again; rejections before `at` no longer end that. */
const allowStopped = async (database: Database, userId: string, id: string, at: Date): Promise<boolean> => {
  const { count } = await database.stoppedSuggestion.updateMany({
    where: { userId, id, stoppedAt: { not: null } },
    data: { stoppedAt: null, allowedAt: at },
  });
  return count > 0;
};
