import type { Cleanup } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { RefusedError } from '../refused-error.ts';
import { noteRuleRun } from '../rules/rule-run.repository.ts';
import { changeCleanupState, findCleanup } from './cleanup.repository.ts';
import type { CleanupJobData } from './cleanup-job.ts';

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
 * @param dependencies.onQueued - called when the cleanup may run, so that its next step runs soon
 * @returns null when the user has no such cleanup
 * @throws {RefusedError}
 */
export const createControlCleanup =
  (dependencies: { database: Database; onQueued: (job: CleanupJobData) => void; nowMs?: () => number }) =>
  async (userId: string, id: string, command: CleanupCommand): Promise<Cleanup | null> => {
    const { database, onQueued, nowMs = Date.now } = dependencies;
    const { to } = TRANSITIONS[command];
    const changed = await database.$transaction(async (tx) => {
      const steps = await changeCleanupState(tx, userId, id, TRANSITIONS[command]);
      if (command === 'run' && steps !== undefined) await noteRuleRun(tx, id, new Date(nowMs()));
      return steps;
    });
    const cleanup = await findCleanup(database, userId, id);
    if (cleanup === null) return null;
    if (changed !== undefined && to === 'queued') onQueued({ cleanupId: id, userId, step: changed });
    if (changed === undefined && !REPEATED[command].includes(cleanup.state)) {
      throw new RefusedError('wrong_state', `a cleanup that is ${cleanup.state} takes no ${command}`);
    }
    return cleanup;
  };
