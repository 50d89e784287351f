import {
  type Counts,
  type ListScansResponseSchema,
  type Pagination,
  type Scan,
  ScanSchema,
  type ScanScope,
} from '@mailsweep/contracts';
import type { Database, Prisma, Transaction } from '@mailsweep/database';
import { currentTraceParent } from '@mailsweep/service-kit/tracing';
import { v7 as uuidv7 } from 'uuid';
import type { z } from 'zod';
import { announceWork } from '../due-work/due-work.repository.ts';
import { toWire } from '../listed-row.ts';

export type ScanRow = Prisma.MailboxScanGetPayload<object>;

export interface ScanStepResult {
  pageToken: string | null;
  scanned: number;
  total: number;
  suggested: number;
  unclassified: number;
  actionCounts: Counts;
  classificationCounts: Counts;
  sampledEmailIds: string[];
  unitsUsed: number;
  isLast: boolean;
}

const ACTIVE_STATES = ['queued', 'running', 'waiting'];

export const toScan = (row: ScanRow): Scan =>
  ScanSchema.parse({ ...toWire(row), etaSeconds: toEtaSeconds(row) });

/** What an email takes that is not cached: 20 of the 3,600 quota units a minute that a scan may take (decision 023). */
const MS_PER_READ_EMAIL = 60_000 / (3_600 / 20);
const MS_PER_UNIT = MS_PER_READ_EMAIL / 20;
/** More than the quota lets a scan take at once (a tenth of a minute’s). */
const MAX_UNITS_AT_ONCE = 400;
/** So long the pace of a scan says little: its first emails are often cached, and the quota is granted by the minute. */
const UNSURE_PACE_MS = 60_000;
/** More cached emails than a first visit leaves; a scan that goes past them for few units is a repeated one. */
const CACHED_BY_FIRST_VISIT = 100;

/** By the known number of emails and the pace so far, or what the quota allows; null where it is not known how much is left. */
const toEtaSeconds = (row: ScanRow): number | null => {
  const { state, startedAt, progressedAt, scanned, total, unitsUsed } = row;
  if (state !== 'running' || startedAt === null || scanned === 0 || scanned > total) return null;
  const takenMs = progressedAt.getTime() - startedAt.getTime();
  const isRepeated = scanned > CACHED_BY_FIRST_VISIT && unitsUsed < scanned;
  const isUnlimited = unitsUsed > MAX_UNITS_AT_ONCE && takenMs < (unitsUsed * MS_PER_UNIT) / 2;
  const isSure = takenMs >= UNSURE_PACE_MS || isRepeated || isUnlimited;
  const msPerEmail = isSure ? takenMs / scanned : MS_PER_READ_EMAIL;
  return Math.ceil((msPerEmail * (total - scanned)) / 1_000);
};

/** What a started scan is noted as under the key of its request. */
export const SCAN_STARTED = 'scan';

/**
 * Inserts a new scan; null where the user has one in progress.
 *
 * @param idempotencyKey - the key that the request carried; the scan is noted under it
 * @throws an error for which `isOwnerMissing` holds when the user was erased meanwhile
 */
export const insertScan = async (
  database: Database,
  userId: string,
  scope: ScanScope,
  idempotencyKey: string | null = null,
): Promise<ScanRow | null> => {
  const [row] = await database.$queryRaw<ScanRow[]>`
    WITH started AS (
      INSERT INTO "MailboxScan" ("id", "userId", "scope", "traceParent")
      VALUES (${uuidv7()}::uuid, ${userId}::uuid, ${scope}, ${currentTraceParent()})
      ON CONFLICT ("userId") WHERE "state" IN ('queued', 'running', 'waiting') DO NOTHING
      RETURNING *),
    noted AS (
      UPDATE "IdempotencyKey" AS known
      SET "done" = known."done" || jsonb_build_object(${SCAN_STARTED}::text, started."id")
      FROM started WHERE known."userId" = started."userId" AND known."key" = ${idempotencyKey})
    SELECT * FROM started`;
  if (row !== undefined) await announceWork(database, 'scan');
  return row ?? null;
};

/** Whether the user has started at least so many scans in the last so many seconds. */
export const hasStartedScans = async (
  database: Database,
  userId: string,
  { count, seconds }: { count: number; seconds: number },
): Promise<boolean> => {
  const scan = await database.mailboxScan.findFirst({
    where: { userId },
    orderBy: { id: 'desc' },
    skip: count - 1,
    select: { createdAt: true },
  });
  return scan !== null && scan.createdAt.getTime() > Date.now() - seconds * 1_000;
};

/** How long ago the user's newest scan was cancelled, in milliseconds; infinity where it was not. */
export const msSinceCancelled = async (database: Database, userId: string): Promise<number> => {
  const newest = await database.mailboxScan.findFirst({
    where: { userId },
    orderBy: { id: 'desc' },
    select: { state: true, finishedAt: true },
  });
  return newest?.state === 'cancelled' && newest.finishedAt !== null
    ? Math.max(0, Date.now() - newest.finishedAt.getTime())
    : Number.POSITIVE_INFINITY;
};

export const findActiveScan = (database: Database, userId: string): Promise<ScanRow | null> =>
  database.mailboxScan.findFirst({ where: { userId, state: { in: ACTIVE_STATES } } });

export const findScan = async (database: Database, userId: string, id: string): Promise<Scan | null> => {
  const row = await database.mailboxScan.findFirst({ where: { id, userId } });
  return row && toScan(row);
};

export const listScans = async (
  database: Database,
  userId: string,
  { page, perPage }: Pagination,
): Promise<z.infer<typeof ListScansResponseSchema>> => {
  const [total, rows] = await Promise.all([
    database.mailboxScan.count({ where: { userId } }),
    database.mailboxScan.findMany({
      where: { userId },
      orderBy: { id: 'desc' },
      skip: (page - 1) * perPage,
      take: perPage,
    }),
  ]);
  return { total, page, perPage, data: rows.map(toScan) };
};

/** Ends a scan in flight; one that has ended stays as it is. */
export const cancelScan = async (database: Database, userId: string, id: string): Promise<Scan | null> => {
  await database.$executeRaw`
    UPDATE "MailboxScan" SET "state" = 'cancelled', "error" = NULL, "updatedAt" = now(), "finishedAt" = now()
    WHERE "id" = ${id}::uuid AND "userId" = ${userId}::uuid AND "state" IN ('queued', 'running', 'waiting')`;
  return findScan(database, userId, id);
};

export const claimScan = async (database: Database, id: string): Promise<ScanRow | null> => {
  const [row] = await database.$queryRaw<ScanRow[]>`
    UPDATE "MailboxScan" SET
      "state" = CASE "state" WHEN 'queued' THEN 'running' ELSE "state" END,
      "startedAt" = coalesce("startedAt", now()),
      "progressedAt" = CASE "state" WHEN 'queued' THEN now() ELSE "progressedAt" END,
      "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "state" IN ('queued', 'running', 'waiting')
    RETURNING *`;
  return row ?? null;
};

/** Records a step, unless another process has taken it or the scan has ended; returns whether it did. */
export const recordStep = async (
  tx: Transaction,
  { id, pages }: ScanRow,
  result: ScanStepResult,
): Promise<boolean> => {
  const changed = await tx.$executeRaw`
    UPDATE "MailboxScan" SET
      "state" = CASE WHEN ${result.isLast} THEN 'completed' ELSE 'running' END,
      "pages" = "pages" + 1, "pageToken" = ${result.pageToken}, "scanned" = ${result.scanned},
      "total" = ${result.total}, "suggested" = ${result.suggested}, "unclassified" = ${result.unclassified},
      "actionCounts" = ${JSON.stringify(result.actionCounts)}::jsonb,
      "classificationCounts" = ${JSON.stringify(result.classificationCounts)}::jsonb,
      "sampledEmailIds" = ${result.sampledEmailIds}::text[],
      "unitsUsed" = "unitsUsed" + ${result.unitsUsed}, "error" = NULL,
      "generation" = CASE WHEN "pageToken" IS NULL
        THEN (SELECT sync."generation" FROM "MailboxSync" AS sync WHERE sync."userId" = "MailboxScan"."userId")
        ELSE "generation" END,
      "progressedAt" = now(), "updatedAt" = now(),
      "finishedAt" = CASE WHEN ${result.isLast} THEN now() END
    WHERE "id" = ${id}::uuid AND "pages" = ${pages} AND "state" IN ('queued', 'running', 'waiting')`;
  return changed > 0;
};

/** Has a scan begin again at the first page, what it found so far counting for nothing. */
export const restartScan = async (
  database: Database,
  { id, pages }: ScanRow,
  unitsUsed: number,
): Promise<void> => {
  await database.$executeRaw`
    UPDATE "MailboxScan" SET "pages" = "pages" + 1, "restarts" = "restarts" + 1, "pageToken" = NULL,
      "scanned" = 0, "suggested" = 0, "unclassified" = 0, "actionCounts" = '{}', "classificationCounts" = '{}',
      "sampledEmailIds" = '{}', "unitsUsed" = "unitsUsed" + ${unitsUsed}, "updatedAt" = now()
    WHERE "id" = ${id}::uuid AND "pages" = ${pages} AND "state" IN ('queued', 'running', 'waiting')`;
};

/** Records why a scan waits or has failed for good; returns whether it was still in flight. */
export const stopScan = async (
  database: Database,
  { id, pages }: ScanRow,
  stop: { state: 'waiting' | 'failed'; error: string; unitsUsed: number },
): Promise<boolean> => {
  const changed = await database.$executeRaw`
    UPDATE "MailboxScan" SET "state" = ${stop.state}, "error" = ${stop.error},
      "unitsUsed" = "unitsUsed" + ${stop.unitsUsed}, "updatedAt" = now(),
      "finishedAt" = CASE WHEN ${stop.state === 'failed'} THEN now() END
    WHERE "id" = ${id}::uuid AND "pages" = ${pages} AND "state" IN ('queued', 'running', 'waiting')`;
  return changed > 0;
};

export const countActiveScans = async (database: Database): Promise<Record<string, number>> => {
  const rows = await database.$queryRaw<{ state: string; count: number }[]>`
    SELECT "state", count(*)::int AS "count" FROM "MailboxScan"
    WHERE "state" IN ('queued', 'running', 'waiting') GROUP BY "state"`;
  const counts = new Map(rows.map(({ state, count }) => [state, count]));
  return Object.fromEntries(ACTIVE_STATES.map((state) => [state, counts.get(state) ?? 0]));
};
