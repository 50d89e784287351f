import type { KeyObject } from 'node:crypto';
import {
  type Cleanup,
  type CleanupEmail,
  CleanupEmailSchema,
  type ListCleanupEmailsQuery,
  type Page,
  type Pagination,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import { RefusedError } from '../refused-error.ts';
import { noteRuleRun } from '../rules/rule-run.repository.ts';
import { changeCleanupState, findCleanup, listCleanups } from './cleanup.repository.ts';
import { listCleanupEmailRows } from './cleanup-email.repository.ts';
import { createListCleanupSample, createPlanCleanup, toSampleEmail } from './plan-cleanup.ts';

/** What a user may do to a cleanup. */
type CleanupCommand = 'run' | 'pause' | 'resume' | 'cancel';

/** The personal access token that a command came with; a session has none. */
interface CommandingToken {
  name: string;
  /** Whether the user confirms in a session what it runs. */
  requiresConfirmation: boolean;
}

/** How long after it was made a plan may be run with a token, in hours: what it says becomes old. */
const TOKEN_PLAN_HOURS = 1;

/** The states in which a cleanup goes on without the user. */
const ACTIVE = ['queued', 'running', 'waiting'] as const;
const isActive = (state: string): boolean => ACTIVE.some((active) => active === state);

/** The states in which a command has an effect, and the state that follows. */
const TRANSITIONS = {
  run: { from: ['planned', 'awaiting_confirmation'], to: 'queued' },
  pause: { from: ACTIVE, to: 'paused' },
  resume: { from: ['paused'], to: 'queued' },
  cancel: { from: ['planned', 'awaiting_confirmation', ...ACTIVE, 'paused'], to: 'cancelled' },
} as const;

/** The states in which a command has nothing to do, because it was given before. */
const REPEATED: Record<CleanupCommand, readonly string[]> = {
  run: [...ACTIVE, 'completed'],
  pause: ['paused'],
  resume: ACTIVE,
  cancel: ['cancelled'],
};

/** A token runs plans alone: what awaits confirmation, only a session confirms. */
const runWith = ({ name, requiresConfirmation }: CommandingToken) => ({
  from: ['planned'],
  expiryHours: TOKEN_PLAN_HOURS,
  ...(requiresConfirmation
    ? ({ to: 'awaiting_confirmation', askedBy: name } as const)
    : ({ to: 'queued' } as const)),
});

const ReasonSchema = CleanupEmailSchema.shape.reason;

/** The cleanups of users: what they plan, and what became of it. The steps are the worker's. */
export const createCleanups = (dependencies: {
  database: Database;
  cipher: TextCipher;
  senderKey: KeyObject;
  openMailbox: OpenMailbox;
  undoBatch: (userId: string, batchId: string) => Promise<{ isRunning: boolean } | null>;
  nowMs?: () => number;
}) => {
  const { database, cipher, undoBatch, nowMs = Date.now } = dependencies;

  return {
    plan: createPlanCleanup(dependencies),
    list: (userId: string, pagination: Pagination) => listCleanups(database, userId, pagination),
    find: (userId: string, id: string) => findCleanup(database, userId, id),
    listSample: createListCleanupSample(dependencies),

    /** A page of the emails of a user's cleanup with what came of each; null when there is no such cleanup. */
    async listEmails(
      userId: string,
      id: string,
      query: ListCleanupEmailsQuery,
    ): Promise<Page<CleanupEmail> | null> {
      if ((await findCleanup(database, userId, id)) === null) return null;
      const { total, rows } = await listCleanupEmailRows(database, id, query);
      const { page, perPage } = query;
      const data = rows.map((row) => ({
        emailId: row.emailId,
        threadId: row.threadId,
        action: row.action,
        outcome: row.outcome,
        reason: ReasonSchema.parse(row.reason),
        recordId: row.id,
        email: toSampleEmail(cipher, userId, row),
      }));
      return { total, page, perPage, data };
    },

    /**
     * Runs, pauses, resumes or cancels a cleanup. A step in flight is finished; what was done stays done. What a token runs
     * that requires confirmation waits for a session to run it.
     *
     * @returns null when the user has no such cleanup
     * @throws {RefusedError}
     */
    async control(
      userId: string,
      id: string,
      command: CleanupCommand,
      token?: CommandingToken,
    ): Promise<Cleanup | null> {
      const transition = command === 'run' && token ? runWith(token) : TRANSITIONS[command];
      const isChanged = await database.$transaction(async (tx) => {
        const isChanged = await changeCleanupState(tx, userId, id, transition);
        const isRun = command === 'run' && transition.to === 'queued' && isChanged;
        if (isRun) await noteRuleRun(tx, id, new Date(nowMs()));
        return isChanged;
      });
      const cleanup = await findCleanup(database, userId, id);
      if (cleanup === null) return null;
      if (isChanged || REPEATED[command].includes(cleanup.state) || cleanup.state === transition.to)
        return cleanup;
      const isTooOld = command === 'run' && cleanup.state === 'planned';
      throw new RefusedError(
        'wrong_state',
        isTooOld
          ? `a plan is run with a token within ${TOKEN_PLAN_HOURS} hour: make a new one`
          : `a cleanup that is ${cleanup.state} takes no ${command}`,
      );
    },

    /**
     * Undoes what a cleanup has done, by the batch of its records.
     *
     * @returns the cleanup, and whether its undo goes on in the background; null when the user has no such cleanup
     * @throws {RefusedError} while it is running
     */
    async undo(userId: string, id: string): Promise<{ cleanup: Cleanup; isRunning: boolean } | null> {
      const found = await findCleanup(database, userId, id);
      if (found === null) return null;
      if (isActive(found.state)) {
        throw new RefusedError(
          'wrong_state',
          `a cleanup that is ${found.state} has to be paused or cancelled before it is undone`,
        );
      }
      // There is no batch where nothing was done.
      const undo = await undoBatch(userId, found.batchId);
      const cleanup = await findCleanup(database, userId, id);
      return cleanup && { cleanup, isRunning: undo?.isRunning ?? false };
    },
  };
};
