import { type Database, Prisma, type Transaction } from '@mailsweep/database';
import { IS_LEFT } from '../history/action-batch.repository.ts';
import { RULE_COLUMNS, type RuleRow } from './rule-row.repository.ts';

/** A run that goes on, or that the user has paused; one that an error has paused gives way to the next. */
const isInFlight = (cleanup: Prisma.Sql): Prisma.Sql => Prisma.sql`
  (${cleanup}."state" IN ('queued', 'running', 'waiting') OR (${cleanup}."state" = 'paused' AND ${cleanup}."error" IS NULL))`;

/** Notes on the rule of a cleanup, if it is a run of one, that it has begun. */
export const noteRuleRun = async (tx: Transaction, cleanupId: string, now: Date): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "Rule" AS rule SET "runs" = rule."runs" + 1, "lastRunAt" = ${now}, "lastCleanupId" = cleanup."id",
      "lastBatchId" = cleanup."batchId"
    FROM "Cleanup" AS cleanup
    WHERE cleanup."id" = ${cleanupId}::uuid AND rule."id" = cleanup."ruleId" AND rule."userId" = cleanup."userId"`;
};

/** Whether a run of a rule is in flight. */
export const isRuleRunning = async (database: Database | Transaction, ruleId: string): Promise<boolean> => {
  const rows = await database.$queryRaw<unknown[]>`
    SELECT FROM "Cleanup" AS cleanup
    WHERE cleanup."ruleId" = ${ruleId}::uuid AND ${isInFlight(Prisma.sql`cleanup`)} LIMIT 1`;
  return rows.length > 0;
};

/** States of runs that have begun and not ended. */
const STOPPABLE = ['queued', 'running', 'waiting', 'paused'];

/** Stops the runs of a rule; a step in flight is finished, what was done stays done. */
export const cancelRunsOfRule = async (
  tx: Transaction,
  ruleId: string,
  options: { withPlans?: boolean } = {},
): Promise<void> => {
  const states = [...STOPPABLE, ...(options.withPlans ? ['planned', 'awaiting_confirmation'] : [])];
  await tx.$executeRaw`
    UPDATE "Cleanup" SET "state" = 'cancelled', "error" = NULL, "updatedAt" = now(), "finishedAt" = now()
    WHERE "ruleId" = ${ruleId}::uuid AND "state" = ANY(${states}::text[])`;
};

/** Stops the runs of rules that the watch of a user has begun. */
export const cancelRunsOfWatch = async (tx: Transaction, userId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "Cleanup" SET "state" = 'cancelled', "error" = NULL, "updatedAt" = now(), "finishedAt" = now()
    WHERE "userId" = ${userId}::uuid AND "byWatch" AND "state" = ANY(${STOPPABLE}::text[])`;
};

/** Stops the runs of a rule that an error has paused: the next run takes their emails. */
export const cancelPausedRuns = async (tx: Transaction, ruleId: string): Promise<void> => {
  await tx.$executeRaw`
    UPDATE "Cleanup" SET "state" = 'cancelled', "updatedAt" = now(), "finishedAt" = now()
    WHERE "ruleId" = ${ruleId}::uuid AND "state" = 'paused' AND "error" IS NOT NULL`;
};

/** The user's enabled rules that are due, without those of which a run is in flight; the one due the longest first. */
export const listDueRules = (
  database: Database,
  userId: string,
  { now, limit }: { now: Date; limit: number },
): Promise<RuleRow[]> =>
  database.$queryRaw<RuleRow[]>`
    SELECT ${RULE_COLUMNS} FROM "Rule" AS rule
    WHERE rule."userId" = ${userId}::uuid AND rule."enabled" AND rule."dueAt" <= ${now}
      AND NOT EXISTS (
        SELECT FROM "Cleanup" AS cleanup
        WHERE cleanup."ruleId" = rule."id" AND ${isInFlight(Prisma.sql`cleanup`)})
    ORDER BY rule."dueAt", rule."id" LIMIT ${limit}`;

/** Makes the user's enabled rules due that take email of any age: there is new email. */
export const makeRulesOfAnyAgeDue = async (tx: Transaction, userId: string, now: Date): Promise<void> => {
  await tx.rule.updateMany({
    where: { userId, enabled: true, olderThan: 0, dueAt: { gt: now } },
    data: { dueAt: now },
  });
};

/**
 * Takes a slot of a rule: its next run is due at `nextDueAt`.
 *
 * @returns false, with nothing written, when another process has taken the slot, or the rule was changed or disabled since
 */
export const takeRuleSlot = async (
  tx: Transaction,
  { id, userId, dueAt, updatedAt }: RuleRow,
  { now, nextDueAt }: { now: Date; nextDueAt: Date },
): Promise<boolean> => {
  const { count } = await tx.rule.updateMany({
    where: { id, userId, enabled: true, dueAt, updatedAt },
    data: { dueAt: nextDueAt, checkedAt: now },
  });
  return count > 0;
};

/** The batches of a rule of which something is left to undo, newest first. */
export const listBatchesToUndo = async (
  database: Database,
  userId: string,
  ruleId: string,
): Promise<string[]> => {
  const rows = await database.$queryRaw<{ id: string }[]>`
    SELECT "id" FROM "ActionBatch"
    WHERE "ruleId" = ${ruleId}::uuid AND "userId" = ${userId}::uuid AND ${IS_LEFT}
    ORDER BY "startedAt" DESC, "id" DESC`;
  return rows.map(({ id }) => id);
};
