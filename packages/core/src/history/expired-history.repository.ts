import { type Database, Prisma } from '@mailsweep/database';
import { HAS_CHANGED } from './action-history.repository.ts';

/** The beginning of what a user wants to keep; nothing is older where the user keeps all of it. */
const KEPT_FROM = Prisma.sql`now() - make_interval(days => preferences."historyRetentionDays")`;

/**
 * Deletes stored suggestions that are older than their user keeps the history.
 *
 * @param limit - most rows at a time
 * @returns how many rows were deleted
 */
export const deleteExpiredSuggestions = (database: Database, limit: number): Promise<number> =>
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
export const deleteExpiredEvents = (database: Database, limit: number): Promise<number> =>
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
export const deleteExpiredHistory = async (database: Database, limit: number): Promise<number> => {
  const [row] = await database.$queryRaw<[{ deleted: number }]>`
    WITH deleted AS (
      DELETE FROM "ActionHistory" WHERE "id" = ANY(ARRAY(
        SELECT record."id"
        FROM "UserPreferences" AS preferences
        JOIN "ActionHistory" AS record ON record."userId" = preferences."userId"
        WHERE preferences."historyRetentionDays" IS NOT NULL AND record."timestamp" < ${KEPT_FROM}
          AND NOT (${IS_NEEDED})
        LIMIT ${limit} FOR UPDATE OF record SKIP LOCKED))
      RETURNING "batchId", "undoneAt", ${HAS_CHANGED} AS "hasChanged"
    ), lost AS (
      SELECT "batchId", count(*)::int AS "total", count("undoneAt")::int AS "undone",
        (count(*) FILTER (WHERE "hasChanged"))::int AS "changed",
        (count("undoneAt") FILTER (WHERE "hasChanged"))::int AS "changedUndone"
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
        "updatedAt" = now()
      FROM locked JOIN lost ON lost."batchId" = locked."id" WHERE batch."id" = locked."id" AND locked."left" > 0
    )
    SELECT count(*)::int AS "deleted" FROM deleted`;
  return row.deleted;
};
