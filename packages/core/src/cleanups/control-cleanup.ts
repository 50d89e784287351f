import type { Cleanup } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { RefusedError } from '../refused-error.ts';
import { noteRuleRun } from '../rules/rule-run.repository.ts';
import { changeCleanupState, findCleanup } from './cleanup.repository.ts';

/** What a user may do to a cleanup. */
export type CleanupCommand = 'run' | 'pause' | 'resume' | 'cancel';

/** The states in which a command has an effect, and the state that follows. */
const TRANSITIONS = {
  run: { from: ['planned'], to: 'queued' },
  pause: { from: ['queued', 'running', 'waiting'], to: 'paused' },
  resume: { from: ['paused'], to: 'queued' },
  cancel: { from: ['planned', 'queued', 'running', 'waiting', 'paused'], to: 'cancelled' },
} as const;

/** The states in which a command has nothing to do, because it was given before. */
const REPEATED: Record<CleanupCommand, readonly string[]> = {
  run: ['queued', 'running', 'waiting', 'completed'],
  pause: ['paused'],
  resume: ['queued', 'running', 'waiting'],
  cancel: ['cancelled'],
};

/**
 * Runs, pauses, resumes or cancels a cleanup. A step in flight is finished; what was done stays done.
 *
 * @returns null when the user has no such cleanup
 * @throws {RefusedError}
 */
export const createControlCleanup =
  ({ database, nowMs = Date.now }: { database: Database; nowMs?: () => number }) =>
  async (userId: string, id: string, command: CleanupCommand): Promise<Cleanup | null> => {
    const isChanged = await database.$transaction(async (tx) => {
      const isChanged = await changeCleanupState(tx, userId, id, TRANSITIONS[command]);
      if (command === 'run' && isChanged) await noteRuleRun(tx, id, new Date(nowMs()));
      return isChanged;
    });
    const cleanup = await findCleanup(database, userId, id);
    if (cleanup === null) return null;
    if (!isChanged && !REPEATED[command].includes(cleanup.state)) {
      throw new RefusedError('wrong_state', `a cleanup that is ${cleanup.state} takes no ${command}`);
    }
    return cleanup;
  };
