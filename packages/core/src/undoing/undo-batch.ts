import type { ActionBatch, UndoResponse } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { Logger } from '@mailsweep/service-kit';
import { MailboxBusyError } from '../concurrency/mailbox-lock.ts';
import {
  advanceBatchUndo,
  beginBatchUndo,
  endBatchUndo,
  findUndoingBatch,
  listRecordsToUndo,
  type UndoingBatch,
} from '../history/batch-undo.repository.ts';
import type { StepOutcome } from '../step-outcome.ts';
import { type BatchUndoJobData, toBatchUndoStep } from './batch-undo-job.ts';

/** Most records that are undone within a request. */
const REQUEST_SIZE = 1_000;
/**
 * Most records of one step, a multiple of the 1,000 messages that one call of Gmail changes. Each step reads the history
 * since its records: fewer steps read less of it again.
 */
const STEP_SIZE = 5_000;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Pause before a step is repeated that some records could not take part in. */
const PAUSE_MS = 15 * SECOND_MS;
/** Errors after which a step is repeated, and for how long without progress. */
const RETRY_WINDOW_MS: Partial<Record<string, number>> = {
  in_progress: 10 * MINUTE_MS,
  rate_limited: 24 * 60 * MINUTE_MS,
  mailbox_unavailable: 24 * 60 * MINUTE_MS,
  daily_limit_exceeded: 24 * 60 * MINUTE_MS,
};

type UndoActions = (userId: string, ids: string[]) => Promise<UndoResponse>;
type TakeUndoStep = (step: BatchUndoJobData) => Promise<StepOutcome<BatchUndoJobData>>;

/**
 * Takes one step of the undo of a batch: undoes its newest records that are left, at most 5,000, and moves the cursor
 * past them. A step that is repeated, or taken by two processes, undoes nothing twice and counts what failed once.
 */
export const createTakeUndoStep =
  (dependencies: {
    database: Database;
    undoActions: UndoActions;
    nowMs?: () => number;
    stepSize?: number;
  }): TakeUndoStep =>
  async ({ batchId, cursor }) => {
    const { database, undoActions, nowMs = Date.now, stepSize = STEP_SIZE } = dependencies;
    const batch = await findUndoingBatch(database, batchId);
    if (batch === null) return { kind: 'over' };
    // The step was taken before, by a job that was given out twice.
    if (batch.undoCursor !== cursor) return { kind: 'next', step: toBatchUndoStep(batch) };
    const ids = await listRecordsToUndo(database, batch, stepSize);
    const last = ids.at(-1);
    if (last === undefined) {
      await endBatchUndo(database, batch);
      return { kind: 'over' };
    }
    const reasons = await undo(batch, ids);
    const reason = reasons.find((one) => isWorthWaiting(batch, one));
    if (reason !== undefined) return { kind: 'wait', waitMs: PAUSE_MS, reason };
    const isLast = ids.length < stepSize;
    // What was undone by another request meanwhile is as the user wants it.
    const failed = reasons.filter((one) => one !== 'already_undone').length;
    await advanceBatchUndo(database, batch, { cursor: last, failed, isLast });
    return isLast ? { kind: 'over' } : { kind: 'next', step: { ...toBatchUndoStep(batch), cursor: last } };

    /** @returns why records could not be undone */
    async function undo({ userId }: UndoingBatch, recordIds: string[]): Promise<string[]> {
      try {
        const { results } = await undoActions(userId, recordIds);
        return results.flatMap((result) => (result.status === 'error' ? [result.reason] : []));
      } catch (error) {
        if (error instanceof MailboxBusyError) return recordIds.map(() => 'in_progress');
        throw error;
      }
    }

    function isWorthWaiting({ updatedAt }: UndoingBatch, reason: string): boolean {
      const retryWindowMs = RETRY_WINDOW_MS[reason];
      return retryWindowMs !== undefined && nowMs() - updatedAt.getTime() < retryWindowMs;
    }
  };

/**
 * Undoes a batch of any size (docs/decisions/039). What one step can undo is undone at once; more than that, and what has
 * to wait, is left to the worker.
 *
 * @param dependencies.enqueue - has the worker take a step
 * @param options.isDeferred - leaves it to the worker, however small it is
 * @returns the batch, and whether its undo goes on; null where the user has no such batch
 */
export const createUndoBatch =
  (dependencies: {
    database: Database;
    takeUndoStep: TakeUndoStep;
    enqueue: (step: BatchUndoJobData) => void;
    findActionBatch: (userId: string, id: string) => Promise<ActionBatch | null>;
    logger: Logger;
  }) =>
  async (
    userId: string,
    id: string,
    { isDeferred = false }: { isDeferred?: boolean } = {},
  ): Promise<{ batch: ActionBatch; isRunning: boolean } | null> => {
    const { database, takeUndoStep, enqueue, findActionBatch, logger } = dependencies;
    const begun = await beginBatchUndo(database, userId, id);
    if (begun !== null) await takeUpUndo(begun);
    const batch = await findActionBatch(userId, id);
    return batch && { batch, isRunning: batch.undo?.state === 'running' };

    async function takeUpUndo(undoing: UndoingBatch & { left: number }): Promise<void> {
      const first = toBatchUndoStep(undoing);
      if (isDeferred || undoing.left > REQUEST_SIZE) return enqueue(first);
      const outcome = await takeUndoStep(first).catch((error: unknown): StepOutcome<BatchUndoJobData> => {
        logger.warn({ err: error, batchId: id }, 'the undo of a batch is left to the worker');
        return { kind: 'wait', waitMs: 0, reason: 'failed' };
      });
      if (outcome.kind === 'wait') enqueue(first);
      if (outcome.kind === 'next') enqueue(outcome.step);
    }
  };
