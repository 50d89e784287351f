import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { ItemResult } from '@mailsweep/contracts';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { describeError, toClause } from '../api/describe-error.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import type { Stop } from '../api/in-chunks.ts';
import { countEmails } from '../email/counts.ts';
import { hideToast, showToast, toFailure, updateToast } from '../feedback/toasts.tsx';
import { changeMailbox } from '../queries/mailbox-change.ts';
import {
  type KeptWork,
  keepUntilDone,
  offerIfSignedOut,
  updateWork,
  type WorkToKeep,
} from '../session/kept-work.ts';
import { type UndoableAction, type UndoOutcome, useUndo } from './undo-context.tsx';

/** What work on emails needs. */
export interface Dependencies {
  queryClient: QueryClient;
  client: ApiClient;
}

/** What some work on emails did, and the way back. */
export interface PerformedWork {
  results: ItemResult[];
  /** The history records that an undo would take back. */
  recordIds: string[];
  /** What was not done because a request in the middle failed. */
  stopped?: Stop<string> | undefined;
  /** @param gesture - by which the user asked to take it back */
  undo: (gesture: Gesture) => Promise<UndoOutcome>;
}

/** Work on emails that can be taken back. */
export interface UndoableWork {
  /** What is kept of it on the device until it is done. */
  kept: WorkToKeep;
  /** While it runs, for example `Archiving 6 emails…`. */
  label: string;
  /**
   * @param gesture - the click or key behind it; the same for each retry
   * @param onFound - called with the ids of the emails where they had to be found
   */
  perform: (gesture: Gesture, onFound: (ids: string[]) => void) => Promise<PerformedWork>;
  /** Puts the outcome into words; `detail` is empty when everything succeeded. */
  describe: (results: readonly ItemResult[]) => { title: string; detail: string };
}

const needsReauth = (result: ItemResult): boolean =>
  result.status === 'error' && (result.reason === 'reauth_required' || result.reason === 'missing_scope');

const describeStop = (stopped: Stop<string> | undefined): string =>
  stopped
    ? t`${{ emails: countEmails(stopped.left.length) }} not reached: ${{ why: toClause(describeError(stopped.error).title) }}`
    : '';

/**
 * Does such work and shows the outcome. It can be undone from the toast or by key, even while it is in flight. Until it has
 * an outcome it is kept on the device. The second argument of what is returned is such work of an earlier page.
 */
export const useUndoableWork = (): ((work: UndoableWork, earlier?: KeptWork) => void) => {
  const undo = useUndo();
  const queryClient = useQueryClient();
  return useCallback(
    (work, earlier) => {
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
            offerIfSignedOut(queryClient, stopped.error, { kind: work.kept.kind, ids: stopped.left });
          // The response as a whole is good, so only the single results show that the mailbox connection has ended.
          if (results.some(needsReauth)) void queryClient.invalidateQueries({ queryKey: ['me'] });
          const isDone = results.some((result) => result.status === 'ok');
          if (!isDone) undo.remove(undoable);
          const { title, detail: failures } = work.describe(results);
          const detail = [failures, describeStop(stopped)].filter(Boolean).join(' · ');
          const tone = detail ? 'failed' : 'done';
          updateToast(toast, { title, detail, tone, action: isDone ? undoAction : undefined });
        } catch (error) {
          undo.remove(undoable);
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
