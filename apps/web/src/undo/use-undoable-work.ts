import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { ItemResult } from '@mailsweep/contracts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { describeError, isReadOnlyAccess, toClause } from '../api/errors.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import type { Stop } from '../api/in-chunks.ts';
import { changeMailbox } from '../api/mailbox-change.ts';
import { countEmails } from '../email/counts.ts';
import { hideToast, showToast, toFailure, updateToast } from '../feedback/toasts.tsx';
import {
  isBeingDone,
  type KeptWork,
  keepUntilDone,
  offerAfterSignIn,
  updateWork,
  type WorkToKeep,
} from '../session/kept-work.ts';
import { type UndoableAction, type UndoOutcome, useUndo } from './undo-context.tsx';

export interface Dependencies {
  queryClient: QueryClient;
  client: ApiClient;
}

/** What was done, and how to undo it. */
export interface PerformedWork {
  results: ItemResult[];
  /** History records that an undo would revert. */
  recordIds: string[];
  /** What was not done because a later request failed. */
  stopped?: Stop<string> | undefined;
  /** @param gesture - the user's click or key for the undo */
  undo: (gesture: Gesture) => Promise<UndoOutcome>;
}

export interface UndoableWork {
  /** The part to keep on the device until it is done. */
  kept: WorkToKeep;
  /** While it runs, for example `Archiving 6 emails…`. */
  label: string;
  /**
   * @param gesture - the click or key behind it; the same for each retry
   * @param onFound - receives the ids of the emails if they had to be found
   */
  perform: (gesture: Gesture, onFound: (ids: string[]) => void) => Promise<PerformedWork>;
  /** Describes the outcome; `detail` is empty if everything succeeded. */
  describe: (results: readonly ItemResult[]) => { title: string; detail: string };
}

const needsReauth = (result: ItemResult): boolean =>
  result.status === 'error' && (result.reason === 'reauth_required' || result.reason === 'missing_scope');

const describeStop = (stopped: Stop<string> | undefined): string =>
  stopped
    ? t`${{ emails: countEmails(stopped.left.length) }} not reached: ${{ why: toClause(describeError(stopped.error).title) }}`
    : '';

/**
 * Does work and shows its outcome. The toast or a key undoes it, even in flight. Keeps it on the device until it has
 * an outcome. The second argument of the result is work of an earlier page.
 */
export const useUndoableWork = (): ((work: UndoableWork, earlier?: KeptWork) => void) => {
  const undo = useUndo();
  const queryClient = useQueryClient();
  return useCallback(
    (work, earlier) => {
      if (isBeingDone(work.kept)) return;
      const gesture = beginGesture(earlier?.gestureId);
      const start = async () => {
        const onFound = (ids: string[]) => updateWork(gesture, { ids, group: undefined });
        const performing = keepUntilDone(queryClient, gesture, work.kept, () =>
          changeMailbox(queryClient, () => work.perform(gesture, onFound)),
        );
        const undoGesture = beginGesture(earlier?.undoId);
        let isPerforming = true;
        const undoable: UndoableAction = {
          label: work.label,
          undo: async () => {
            hideToast(toast);
            if (isPerforming) updateWork(gesture, { undoId: undoGesture.id });
            const done = await performing;
            return keepUntilDone(queryClient, undoGesture, { kind: 'undo', ids: done.recordIds }, () =>
              changeMailbox(queryClient, () => done.undo(undoGesture)),
            );
          },
        };
        const undoAction = { label: t`Undo`, keyCap: 'Z', run: () => void undo.run(undoable) };
        undo.push(undoable);
        const toast = showToast({ title: work.label, tone: 'working', action: undoAction });
        if (earlier?.undoId !== undefined) undoAction.run();
        try {
          const { results, stopped } = await performing;
          isPerforming = false;
          if (stopped)
            offerAfterSignIn(queryClient, stopped.error, { kind: work.kept.kind, ids: stopped.left });
          // The response succeeds as a whole; only single results show a lapsed mailbox connection.
          if (results.some(needsReauth)) void queryClient.invalidateQueries({ queryKey: ['me'] });
          const isDone = results.some((result) => result.status === 'ok' && !result.unchanged);
          if (!isDone) undo.remove(undoable);
          const { title, detail: failures } = work.describe(results);
          const detail = [failures, describeStop(stopped)].filter(Boolean).join(' · ');
          const tone = detail ? 'failed' : 'done';
          updateToast(toast, { title, detail, tone, action: isDone ? undoAction : undefined });
        } catch (error) {
          undo.remove(undoable);
          // A dialog says so.
          if (isReadOnlyAccess(error)) return hideToast(toast);
          updateToast(toast, {
            ...toFailure(error, (title) => t`${title}; nothing was changed`),
            action: { label: t`Try again`, run: () => void start() },
          });
        }
      };
      void start();
    },
    [undo, queryClient],
  );
};
