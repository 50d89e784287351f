import { t } from '@lingui/core/macro';
import type { Cleanup } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError, isReadOnlyAccess } from '../api/errors.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import { changeMailbox } from '../api/mailbox-change.ts';
import { hideToast, showToast, updateToast } from '../feedback/toasts.tsx';
import { isBeingDone, keepUntilDone } from '../session/kept-work.ts';
import { notePayoff } from '../session/payoff.ts';
import { type UndoableAction, useUndo } from '../undo/undo-context.tsx';
import { findBatch, undoBatches } from '../undo/undo-requests.ts';
import { FOLLOW_MS, followedCleanupsQuery, isInProgress, refreshAfterCleanup } from './cleanup-query.ts';
import {
  describeExclusions,
  describeProgress,
  describeReason,
  describeResult,
  describeStart,
} from './plan/cleanup-words.ts';

interface Following {
  /** The gesture that started it, on an earlier page. */
  gesture?: Gesture;
  toast?: string;
  /** Called when the server has stopped and the lists are current. @param done - the outcome, if known */
  onStop?: (done?: Cleanup) => void;
  onUndo?: () => void;
}

const pause = () =>
  new Promise((resolve) => setTimeout(resolve, FOLLOW_MS[document.hidden ? 'hidden' : 'visible']));

/**
 * Executes plans, with progress and outcome in a toast that can cancel, resume and undo. The server continues when
 * the app is closed.
 */
export const useRunCleanup = (): ((plan: Cleanup, following?: Following) => void) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const undo = useUndo();
  return useCallback(
    (plan, { toast: shownToast, onStop, onUndo, gesture = beginGesture() }: Following = {}) => {
      const params = { id: plan.id };
      const kept = { kind: 'cleanup' as const, ids: [plan.id], action: plan.action, count: plan.total };
      if (isBeingDone(kept)) return;
      // One gesture, so that a retry of the undo is the same request.
      const undoGesture = beginGesture();
      const title = describeStart(plan);
      let toast = shownToast ?? showToast({ title, tone: 'working' });
      const refresh = () => refreshAfterCleanup(queryClient);
      const follow = (isFollowed: boolean) =>
        queryClient.setQueryData(followedCleanupsQuery.queryKey, (ids = []) => [
          ...ids.filter((id) => id !== plan.id),
          ...(isFollowed ? [plan.id] : []),
        ]);
      const cancel = () => void client.cancelCleanup({ params });
      const showProgress = (cleanup: Cleanup) =>
        updateToast(toast, {
          title,
          detail: [describeProgress(cleanup), describeReason(cleanup)].filter(Boolean).join(' · '),
          tone: 'working',
          action: { label: t`Cancel`, run: cancel, isKeptOpen: true },
        });
      const undoable: UndoableAction = {
        label: title,
        undo: async () => {
          hideToast(toast);
          onUndo?.();
          const batch = await findBatch(client, plan.batchId);
          const undone = await changeMailbox(queryClient, () =>
            undoBatches(client, batch ? [batch] : [], undoGesture, () => undefined),
          );
          void refresh();
          return { undone: undone.undone, failures: undone.reasons };
        },
      };
      const showOutcome = (done: Cleanup) => {
        undo.remove(undoable);
        if (done.changed > 0) undo.push(undoable);
        const words = describeResult(done);
        const undoAction = { label: t`Undo`, keyCap: 'Z', run: () => void undo.run(undoable) };
        if (done.state === 'paused') {
          updateToast(toast, {
            title: t`Paused at ${describeProgress(done)}`,
            detail: describeReason(done) || t`Nothing more is changed until you resume it.`,
            tone: 'failed',
            isLasting: true,
            action: { label: t`Resume`, run: resume },
          });
          return;
        }
        const stopped = done.state === 'completed' ? '' : t`It stopped at ${describeProgress(done)}.`;
        const reason = done.state === 'failed' ? describeReason(done) : '';
        updateToast(toast, {
          title: words.title,
          detail: [words.detail, stopped, reason].filter(Boolean).join(' · '),
          tone: done.state === 'completed' ? 'done' : 'failed',
          ...(done.changed > 0 && { action: undoAction }),
        });
      };
      const run = () =>
        keepUntilDone(queryClient, gesture, kept, () =>
          client.runCleanup({ params, idempotencyKey: gesture.keyOf(0) }),
        );
      const execute = async (start: () => Promise<Cleanup>) => {
        notePayoff(queryClient, describeExclusions(plan.excluded));
        follow(true);
        let done: Cleanup | undefined;
        try {
          done = await changeMailbox(queryClient, async () => {
            let cleanup = await start();
            while (isInProgress(cleanup)) {
              showProgress(cleanup);
              await pause();
              cleanup = await client.getCleanup({ params });
            }
            return cleanup;
          });
          showOutcome(done);
        } catch (error) {
          const { title: problem, advice } = describeError(error);
          // A dialog says so.
          if (isReadOnlyAccess(error)) hideToast(toast);
          else
            updateToast(toast, {
              title: problem,
              detail: t`${advice} What the server has begun goes on: see the history.`,
              tone: 'failed',
            });
        } finally {
          await refresh().catch(() => undefined);
          follow(false);
          onStop?.(done);
        }
      };
      const resume = () => {
        toast = showToast({ title, tone: 'working' });
        void execute(() => client.resumeCleanup({ params }));
      };
      void execute(run);
    },
    [client, queryClient, undo],
  );
};
