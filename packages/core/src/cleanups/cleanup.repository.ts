import {
  type Cleanup,
  CleanupSchema,
  type Counts,
  type CreateCleanupRequest,
  type ListCleanupsResponse,
  type Pagination,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { announceWork, dueNow } from '../due-work/due-work.repository.ts';
import { toWire } from '../listed-row.ts';
import { estimateDuration, estimateQuotaUnits } from './cleanup-plan.ts';

type StoredCleanup = Prisma.CleanupGetPayload<object>;
export type CleanupRow = StoredCleanup & { undone: number };

const EXPIRY_HOURS = 24;
/**
 * Plans that were never run are kept until their maker, the user or one of their tokens, has made so many newer ones; so
 * are those that wait to be confirmed.
 */
const MAX_WAITING_PLANS = 10;

/** Cleanups deleted by one statement; each may have thousands of emails. */
const DELETED_AT_ONCE = 20;

export interface CleanupStepResult {
  historyId: string;
  overlapHistoryId: string;
  changed: number;
  changedActions: Counts;
  changedBytes: number;
  unchanged: number;
  skipped: number;
  failed: number;
}

/** A new plan, but for its emails. */
export interface NewCleanup {
  id: string;
  batchId: string;
  ruleId: string | null;
  /** Whether the watch begins it, and not the user. */
  byWatch: boolean;
  /** The id of the personal access token that made it; null for a session and for ourselves. */
  plannedBy: string | null;
  request: CreateCleanupRequest;
  total: number;
  isComplete: boolean;
  sizeBytes: number;
  sizeKnown: number;
  excluded: Cleanup['excluded'];
  plannedActions: Counts;
  quotaUnits: number;
  historyId: string;
}

const toCleanup = (row: CleanupRow): Cleanup =>
  CleanupSchema.parse({
    ...toWire(row),
    state: isExpired(row) ? 'expired' : row.state,
    // Plans of the version before this one have no estimate, and are Gmail's.
    quotaUnits: row.quotaUnits ?? estimateQuotaUnits(row.total),
    durationSeconds: estimateDuration(row.total),
    processed: row.changed + row.unchanged + row.skipped + row.failed,
  });

/** The states of cleanups that were not run, and expire. */
const NOT_RUN = ['planned', 'awaiting_confirmation'];

const isExpired = ({ state, expiresAt }: CleanupRow): boolean =>
  NOT_RUN.includes(state) && expiresAt.getTime() <= Date.now();

/**
 * Inserts a plan, and deletes the oldest ones that were never run.
 *
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const insertCleanup = async (
  tx: Transaction,
  userId: string,
  { request, ...plan }: NewCleanup,
): Promise<void> => {
  const { historyId, excluded, plannedActions } = plan;
  await tx.$executeRaw`
    INSERT INTO "Cleanup" ("id", "userId", "batchId", "ruleId", "byWatch", "plannedBy", "action", "label", "selection",
      "total", "isComplete", "sizeBytes", "sizeKnown", "excluded", "plannedActions",
      "quotaUnits", "historyId", "overlapHistoryId", "expiresAt")
    VALUES (${plan.id}::uuid, ${userId}::uuid, ${plan.batchId}::uuid, ${plan.ruleId}::uuid, ${plan.byWatch},
      ${plan.plannedBy}::uuid,      ${request.action}, ${request.label ?? null},
      ${JSON.stringify(request.selection)}::jsonb, ${plan.total}, ${plan.isComplete}, ${plan.sizeBytes},
      ${plan.sizeKnown}, ${JSON.stringify(excluded)}::jsonb, ${JSON.stringify(plannedActions)}::jsonb,
      ${plan.quotaUnits}, ${historyId}, ${historyId},
      now() + make_interval(hours => ${EXPIRY_HOURS}::int))`;
  await tx.$executeRaw`
    DELETE FROM "Cleanup" WHERE "id" IN (
      SELECT "id" FROM (
        SELECT "id", row_number() OVER (PARTITION BY "state", "plannedBy" ORDER BY "id" DESC) AS nth FROM "Cleanup"
        WHERE "userId" = ${userId}::uuid AND "state" = ANY(${NOT_RUN}::text[])) AS waiting
      WHERE nth > ${MAX_WAITING_PLANS})`;
};

/** Whether the user has made at least so many plans in the last so many seconds. */
export const hasPlannedCleanups = async (
  database: Database,
  userId: string,
  { count, seconds }: { count: number; seconds: number },
): Promise<boolean> => {
  const found = await database.cleanup.findFirst({
    where: { userId },
    orderBy: { id: 'desc' },
    skip: count - 1,
    select: { createdAt: true },
  });
  return found !== null && found.createdAt.getTime() > Date.now() - seconds * 1_000;
};

export const findCleanup = async (
  database: Database,
  userId: string,
  id: string,
): Promise<Cleanup | null> => {
  const [row] = await database.$queryRaw<CleanupRow[]>`
    SELECT cleanup.*, coalesce(batch."undone", 0)::int AS "undone"
    FROM "Cleanup" AS cleanup LEFT JOIN "ActionBatch" AS batch ON batch."id" = cleanup."batchId"
    WHERE cleanup."id" = ${id}::uuid AND cleanup."userId" = ${userId}::uuid`;
  return row === undefined ? null : toCleanup(row);
};

export const listCleanups = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<ListCleanupsResponse> => {
  const total = await database.cleanup.count({ where: { userId } });
  const rows = await database.$queryRaw<CleanupRow[]>`
    SELECT cleanup.*, coalesce(batch."undone", 0)::int AS "undone"
    FROM "Cleanup" AS cleanup LEFT JOIN "ActionBatch" AS batch ON batch."id" = cleanup."batchId"
    WHERE cleanup."userId" = ${userId}::uuid
    ORDER BY cleanup."id" DESC OFFSET ${(page - 1) * perPage} LIMIT ${perPage}`;
  return { total, page, perPage, data: rows.map(toCleanup) };
};

/**
 * Moves a cleanup into another state, if it is in one of those that allow it; returns whether it did.
 *
 * @param change.askedBy - the name of the token that asks for it
 * @param change.expiryHours - how long a plan may have waited to be run
 */
export const changeCleanupState = async (
  database: Database | Transaction,
  userId: string,
  id: string,
  change: {
    from: readonly string[];
    to: 'awaiting_confirmation' | 'queued' | 'paused' | 'cancelled';
    askedBy?: string;
    expiryHours?: number;
  },
): Promise<boolean> => {
  const { from, to, askedBy = null, expiryHours = EXPIRY_HOURS } = change;
  const changed = await database.$executeRaw`
    UPDATE "Cleanup" SET "state" = ${to}, "error" = NULL, "updatedAt" = now(), "progressedAt" = now(), ${dueNow()},
      "askedBy" = coalesce(${askedBy}, "askedBy"), "finishedAt" = CASE WHEN ${to} = 'cancelled' THEN now() END
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "state" = ANY(${from}::text[])
      AND ("state" <> ALL(${NOT_RUN}::text[]) OR ${to} = 'cancelled'
        OR least("expiresAt", "createdAt" + make_interval(hours => ${expiryHours}::int)) > now())`;
  if (changed > 0 && to === 'queued') await announceWork(database, 'cleanup');
  return changed > 0;
};

export const claimCleanup = async (database: Database, id: string): Promise<StoredCleanup | null> => {
  const [row] = await database.$queryRaw<StoredCleanup[]>`
    UPDATE "Cleanup" SET "state" = CASE "state" WHEN 'queued' THEN 'running' ELSE "state" END,
      "startedAt" = coalesce("startedAt", now()), "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "state" IN ('queued', 'running', 'waiting')
    RETURNING *`;
  return row ?? null;
};

/**
 * Records a step, unless another worker has recorded it; a cleanup that was paused meanwhile stays paused. A step in
 * which no email was done is no progress.
 */
export const recordCleanupStep = async (
  tx: Transaction,
  { id, steps }: Pick<StoredCleanup, 'id' | 'steps'>,
  result: CleanupStepResult,
): Promise<boolean> => {
  const done = result.changed + result.unchanged + result.skipped + result.failed;
  const changed = await tx.$executeRaw`
    UPDATE "Cleanup" SET "steps" = "steps" + 1,
      "historyId" = ${result.historyId}, "overlapHistoryId" = ${result.overlapHistoryId},
      "changedActions" = ${JSON.stringify(result.changedActions)}::jsonb,
      "changedBytes" = "changedBytes" + ${result.changedBytes}::bigint,
      "changed" = "changed" + ${result.changed}, "unchanged" = "unchanged" + ${result.unchanged},
      "skipped" = "skipped" + ${result.skipped}, "failed" = "failed" + ${result.failed},
      "state" = CASE "state" WHEN 'waiting' THEN 'running' ELSE "state" END,
      "error" = CASE WHEN "state" IN ('running', 'waiting') THEN NULL ELSE "error" END,
      "progressedAt" = CASE WHEN ${done > 0} THEN now() ELSE "progressedAt" END, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "steps" = ${steps}`;
  return changed > 0;
};

/** Ends a cleanup whose emails are all done, or records why it stops. */
export const stopCleanup = async (
  database: Database,
  { id, steps }: Pick<StoredCleanup, 'id' | 'steps'>,
  stop: { state: 'completed' | 'waiting' | 'paused' | 'failed'; error: string | null },
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "Cleanup" SET "state" = ${stop.state}, "error" = ${stop.error}, "updatedAt" = now(),
      "finishedAt" = CASE WHEN ${stop.state} IN ('completed', 'failed') THEN now() END
    WHERE "id" = ${id}::uuid AND "steps" = ${steps} AND "state" IN ('running', 'waiting')`;
};

/** Deletes plans that have expired, and finished cleanups of so many days ago; their history records stay. */
export const deleteOldCleanups = (database: Database, days: number): Promise<number> =>
  database.$executeRaw`
    DELETE FROM "Cleanup" WHERE "id" IN (
      SELECT "id" FROM "Cleanup"
      WHERE ("state" = ANY(${NOT_RUN}::text[]) AND "expiresAt" < now())
        OR "finishedAt" < now() - make_interval(days => ${days}::int)
      LIMIT ${DELETED_AT_ONCE})`;
