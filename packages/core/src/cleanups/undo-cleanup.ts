import type { Cleanup } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { RefusedError } from '../refused-error.ts';
import { findCleanup } from './cleanup.repository.ts';

const ACTIVE_STATES: readonly string[] = ['queued', 'running', 'waiting'];

/**
 * Undoes what a cleanup has done, by the batch of its records.
 *
 * @returns the cleanup, and whether its undo goes on in the background; null when the user has no such cleanup
 * @throws {RefusedError} while it is running
 */
export const createUndoCleanup =
  (dependencies: {
    database: Database;
    undoBatch: (userId: string, batchId: string) => Promise<{ isRunning: boolean } | null>;
  }) =>
  async (userId: string, id: string): Promise<{ cleanup: Cleanup; isRunning: boolean } | null> => {
    const { database, undoBatch } = dependencies;
    const found = await findCleanup(database, userId, id);
    if (found === null) return null;
    if (ACTIVE_STATES.includes(found.state)) {
      throw new RefusedError(
        'wrong_state',
        `a cleanup that is ${found.state} has to be paused or cancelled before it is undone`,
      );
    }
    // There is no batch where nothing was done.
    const undo = await undoBatch(userId, found.batchId);
    const cleanup = await findCleanup(database, userId, id);
    return cleanup && { cleanup, isRunning: undo?.isRunning ?? false };
  };
