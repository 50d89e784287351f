import { type Database, Prisma } from '@mailsweep/database';
import { deleteOldCleanups } from '../cleanups/cleanup.repository.ts';
import { IDEMPOTENCY_KEY_HOURS } from '../concurrency/idempotency.repository.ts';
import { CHANGED, OUTCOME, UNCHANGED } from '../history/action-history.repository.ts';
import { deleteOldNotifications } from '../notifications/notification.repository.ts';

/** Deletes at most `limit` of the rows that meet a condition, without waiting for any; returns how many. */
const deleteSome = (
  database: Database,
  table: string,
  condition: Prisma.Sql,
  limit: number,
): Promise<number> =>
  database.$executeRaw`
    DELETE FROM ${Prisma.raw(`"${table}"`)} WHERE ctid = ANY(ARRAY(
      SELECT ctid FROM ${Prisma.raw(`"${table}"`)} WHERE ${condition} LIMIT ${limit} FOR UPDATE SKIP LOCKED))`;

const hoursAgo = (hours: number): Prisma.Sql => Prisma.sql`now() - make_interval(hours => ${hours}::int)`;
const daysAgo = (days: number): Prisma.Sql => Prisma.sql`now() - make_interval(days => ${days}::int)`;

/** How long a personal access token is listed after its end, so that its user sees why a program stopped. */
const ENDED_TOKEN_DAYS = 30;
/** How long a code is known after it was used or expired, so that its token ends if it comes again. */
const USED_CODE_HOURS = 24;
/** How long an expired sign-in is stored, so that a user who returns late sees that it expired. */
const EXPIRED_LOGIN_HOURS = 24;
/** How long entries of the audit trail are kept, in days. */
const AUDIT_DAYS = 180;
/** How long finished cleanups are kept, in days; their history records stay. */
const CLEANUP_DAYS = 30;
/** How long it is known that a user was told of something, in days; email that the watch finds is younger. */
const NOTIFICATION_DAYS = 90;

/**
 * Deletes ended sessions, personal access tokens a month after their end, incomplete sign-ins, programs' requests for a
 * token, old audit entries, idempotency keys after a day, expired plans, cleanups and notifications that ended long ago, and
 * history older than its user keeps it.
 *
 * @param limit - most rows of each kind
 * @returns how many of each kind were deleted
 */
export const deleteExpiredRecords = async (database: Database, limit: number) => {
  const deleteWhere = (table: string, condition: Prisma.Sql) => deleteSome(database, table, condition, limit);
  const deleted = {
    sessions: await deleteWhere('Session', Prisma.sql`"revokedAt" IS NOT NULL OR "expiresAt" < now()`),
    tokens: await deleteWhere('PersonalToken', Prisma.sql`"expiresAt" < ${daysAgo(ENDED_TOKEN_DAYS)}`),
    logins: await deleteWhere('PendingLogin', Prisma.sql`"expiresAt" < ${hoursAgo(EXPIRED_LOGIN_HOURS)}`),
    authorizations: await deleteWhere(
      'AuthorizationRequest',
      Prisma.sql`"expiresAt" < ${hoursAgo(USED_CODE_HOURS)}`,
    ),
    auditEntries: await deleteWhere('AuditEntry', Prisma.sql`"at" < ${daysAgo(AUDIT_DAYS)}`),
    idempotencyKeys: await deleteWhere(
      'IdempotencyKey',
      Prisma.sql`"createdAt" < ${hoursAgo(IDEMPOTENCY_KEY_HOURS)}`,
    ),
    cleanups: await deleteOldCleanups(database, CLEANUP_DAYS),
    notifications: await deleteOldNotifications(database, NOTIFICATION_DAYS, limit),
    suggestions: await deleteExpiredSuggestions(database, limit),
    events: await deleteExpiredEvents(database, limit),
  };
  // A suggestion must not come back because the record of its rejection went first.
  const records = deleted.suggestions < limit ? await deleteExpiredHistory(database, limit) : 0;
  return { ...deleted, records };
};

/** The beginning of what a user wants to keep; nothing is older where the user keeps all of it. */
const KEPT_FROM = Prisma.sql`now() - make_interval(days => preferences."historyRetentionDays")`;

/**
 * Deletes stored suggestions that are older than their user keeps the history.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
const deleteExpiredSuggestions = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "EmailSuggestion" WHERE ctid = ANY(ARRAY(
      SELECT suggestion.ctid
      FROM "UserPreferences" AS preferences
      JOIN "EmailSuggestion" AS suggestion ON suggestion."userId" = preferences."userId"
      WHERE preferences."historyRetentionDays" IS NOT NULL AND suggestion."generatedAt" < ${KEPT_FROM}
      LIMIT ${limit} FOR UPDATE OF suggestion SKIP LOCKED))`;

/**
 * Deletes stored domain events that are older than their user keeps the history.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
const deleteExpiredEvents = (database: Database, limit: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "NotificationEvent" WHERE "id" = ANY(ARRAY(
      SELECT event."id"
      FROM "UserPreferences" AS preferences
      JOIN "NotificationEvent" AS event ON event."userId" = preferences."userId"
      WHERE preferences."historyRetentionDays" IS NOT NULL AND event."createdAt" < ${KEPT_FROM}
      LIMIT ${limit} FOR UPDATE OF event SKIP LOCKED))`;

/**
 * Whether a record stays although it is old: its batch is being undone, or a rule goes by it. A rule acts on an email
 * once, and never again on what was undone.
 */
const IS_NEEDED = Prisma.sql`
  EXISTS (
    SELECT FROM "ActionBatch" AS batch
    WHERE batch."id" = record."batchId" AND (
      batch."undoState" = 'running' OR EXISTS (SELECT FROM "Rule" AS rule WHERE rule."id" = batch."ruleId")))
  OR (record."undoneAt" IS NOT NULL AND EXISTS (
    SELECT FROM "Rule" AS rule
    WHERE rule."userId" = record."userId" AND rule."action" IN (record."action", record."effect")))`;

/**
 * Deletes history records that are older than their user keeps the history, and takes them out of the counts of their
 * batches; a batch without records is deleted, too. Rows are locked in the order in which undo locks them.
 *
 * @param limit - most records at a time
 * @returns how many records were deleted
 */
const deleteExpiredHistory = async (database: Database, limit: number): Promise<number> => {
  const [row] = await database.$queryRaw<[{ deleted: number }]>`
    WITH deleted AS (
      DELETE FROM "ActionHistory" WHERE "id" = ANY(ARRAY(
        SELECT record."id"
        FROM "UserPreferences" AS preferences
        JOIN "ActionHistory" AS record ON record."userId" = preferences."userId"
        WHERE preferences."historyRetentionDays" IS NOT NULL AND record."timestamp" < ${KEPT_FROM}
          AND NOT (${IS_NEEDED})
        LIMIT ${limit} FOR UPDATE OF record SKIP LOCKED))
      RETURNING "batchId", "undoneAt", ${OUTCOME} AS "outcome"
    ), lost AS (
      SELECT "batchId", count(*)::int AS "total", ${CHANGED} AS "changed", ${UNCHANGED} AS "unchanged",
        (count("undoneAt") FILTER (WHERE "outcome" IS DISTINCT FROM 'unchanged'))::int AS "undone",
        (count("undoneAt") FILTER (WHERE "outcome" = 'ok'))::int AS "changedUndone"
      FROM deleted GROUP BY "batchId"
    ), locked AS (
      SELECT batch."id", batch."total" - lost."total" AS "left"
      FROM "ActionBatch" AS batch JOIN lost ON lost."batchId" = batch."id" ORDER BY batch."id" FOR UPDATE OF batch
    ), emptied AS (
      DELETE FROM "ActionBatch" AS batch USING locked WHERE batch."id" = locked."id" AND locked."left" <= 0
    ), reduced AS (
      UPDATE "ActionBatch" AS batch
      SET "total" = locked."left", "undone" = batch."undone" - lost."undone",
        "changed" = batch."changed" - lost."changed", "changedUndone" = batch."changedUndone" - lost."changedUndone",
        "unchanged" = batch."unchanged" - lost."unchanged", "updatedAt" = now()
      FROM locked JOIN lost ON lost."batchId" = locked."id" WHERE batch."id" = locked."id" AND locked."left" > 0
    )
    SELECT count(*)::int AS "deleted" FROM deleted`;
  return row.deleted;
};
