import type { ActionBatch, UndoResponse } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import { canChangeMailbox } from '../concurrency/can-change.repository.ts';
import { MailboxBusyError } from '../concurrency/mailbox-lock.repository.ts';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import { createRunStep, type StepOutcome, type TakeStep } from '../due-work/run-step.ts';
import {
  advanceBatchUndo,
  beginBatchUndo,
  endBatchUndo,
  findUndoingBatch,
  listRecordsToUndo,
  type UndoingBatch,
} from '../history/action-batch.repository.ts';
import type { IntentExecutor } from '../intents/intent-executor.ts';
import { outdateSurvey } from '../survey/survey.repository.ts';
import { createUndoActions } from './undo-actions.ts';

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

/**
 * Takes one step of the undo of a batch: undoes its newest records that are left, at most 5,000, and moves the cursor
 * past them. A step that is repeated, or taken by two processes, undoes nothing twice and counts what failed once.
 */
export const createTakeUndoStep = (dependencies: {
  database: Database;
  undoActions: UndoActions;
  nowMs?: () => number;
  stepSize?: number;
}) => {
  const { database, undoActions, nowMs = Date.now, stepSize = STEP_SIZE } = dependencies;
  return async ({ id }: Pick<LeasedWork, 'id'>): Promise<StepOutcome> => {
    const batch = await findUndoingBatch(database, id);
    if (batch === null) return { kind: 'over' };
    const ids = await listRecordsToUndo(database, batch, stepSize);
    const last = ids.at(-1);
    if (last === undefined) {
      await endBatchUndo(database, batch);
      return { kind: 'over' };
    }
    const reasons = await undo(batch.userId, ids);
    const worthWaiting = reasons.find((reason) => isWorthWaiting(batch, reason));
    if (worthWaiting !== undefined) return { kind: 'wait', waitMs: PAUSE_MS, reason: worthWaiting };
    await advanceBatchUndo(database, batch, {
      cursor: last,
      // What was undone by another request meanwhile is as the user wants it.
      failed: reasons.filter((one) => one !== 'already_undone').length,
      isLast: ids.length < stepSize,
    });
    return { kind: 'next' };
  };

  /** @returns why records could not be undone */
  async function undo(userId: string, recordIds: string[]): Promise<string[]> {
    if (!(await canChangeMailbox(database, userId))) return recordIds.map(() => 'missing_scope');
    try {
      const { results } = await undoActions(userId, recordIds);
      await outdateSurvey(database, userId);
      return results.flatMap((result) => (result.status === 'error' ? [result.reason] : []));
    } catch (error) {
      if (error instanceof MailboxBusyError) return recordIds.map(() => 'in_progress');
      throw error;
    }
  }

  function isWorthWaiting(batch: UndoingBatch, reason: string): boolean {
    const retryWindowMs = RETRY_WINDOW_MS[reason];
    return retryWindowMs !== undefined && nowMs() - batch.updatedAt.getTime() < retryWindowMs;
  }
};

/** Undoes what users have done: records, and batches of them. */
export const createUndo = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  intentExecutor: IntentExecutor;
  findBatch: (userId: string, id: string) => Promise<ActionBatch | null>;
  logger: Logger;
}) => {
  const { database, findBatch } = dependencies;
  const undoActions = createUndoActions(dependencies);
  const takeStep: TakeStep = createTakeUndoStep({ database, undoActions });
  const runStep = createRunStep(dependencies, 'undo', takeStep);

  return {
    actions: undoActions,

    /**
     * Undoes a batch of any size (docs/decisions/039). What one step can undo is undone at once; more than that, and what
     * has to wait, is left to the worker.
     *
     * @param options.isDeferred - leaves it to the worker, however small it is
     * @returns the batch, and whether its undo goes on; null where the user has no such batch
     */
    async batch(
      userId: string,
      id: string,
      { isDeferred = false }: { isDeferred?: boolean } = {},
    ): Promise<{ batch: ActionBatch; isRunning: boolean } | null> {
      const begun = await beginBatchUndo(database, userId, id, isDeferred ? 0 : REQUEST_SIZE);
      if (begun?.leaseId) await runStep({ ...begun, leaseId: begun.leaseId });
      const batch = await findBatch(userId, id);
      return batch && { batch, isRunning: batch.undo?.state === 'running' };
    },

    takeStep,
  };
};
