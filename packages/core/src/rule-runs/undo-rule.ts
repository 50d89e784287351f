import type { Rule } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { listBatchesToUndo } from '../rules/rule-run.repository.ts';
import { requireNoRun } from './begin-rule-run.ts';

/** Batches that are undone within the request; the worker undoes the others. */
const BATCHES_AT_ONCE = 3;

/**
 * Undoes all runs of a rule, by the batches of their records, the newest first. It pauses the rule, as undoing each of
 * them would.
 *
 * @param dependencies.undoBatch - undoes a batch; with `isDeferred` the worker does
 * @returns the rule, and whether its undo goes on in the background; null when the user has no such rule
 * @throws {RefusedError} while a run of it is in flight
 */
export const createUndoRule =
  (dependencies: {
    database: Database;
    findRule: (userId: string, id: string) => Promise<Rule | null>;
    undoBatch: (
      userId: string,
      batchId: string,
      options: { isDeferred: boolean },
    ) => Promise<{ isRunning: boolean } | null>;
  }) =>
  async (userId: string, id: string): Promise<{ rule: Rule; isRunning: boolean } | null> => {
    const { database, findRule, undoBatch } = dependencies;
    if ((await findRule(userId, id)) === null) return null;
    await requireNoRun(database, id);
    let isRunning = false;
    const batchIds = await listBatchesToUndo(database, userId, id);
    for (const [index, batchId] of batchIds.entries()) {
      const undo = await undoBatch(userId, batchId, { isDeferred: index >= BATCHES_AT_ONCE });
      isRunning ||= undo?.isRunning ?? false;
    }
    const rule = await findRule(userId, id);
    return rule && { rule, isRunning };
  };
