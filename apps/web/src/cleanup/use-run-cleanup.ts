import type { Cleanup, InboxAction } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { beginGesture } from '../api/gesture.ts';
import { hideToast, showToast, updateToast } from '../feedback/toasts.tsx';
import { changeMailbox } from '../queries/mailbox-change.ts';
import { EMAIL_LISTS_KEY, SENDERS_KEY, SUGGESTIONS_KEY } from '../queries/query-keys.ts';
import { findBatch, undoBatches } from '../undo/undo-batches.ts';
import { useUndo } from '../undo/undo-context.tsx';
import type { UndoableAction } from '../undo/undo-stack.ts';
import { describeProgress, describeResult, describeStart } from './cleanup-words.ts';
import { runCleanup } from './run-cleanup.ts';

/** Executes plans, with their progress and outcome in a toast. What was done can be undone from there, or by key. */
export const useRunCleanup = (): ((plan: Cleanup, action: InboxAction) => void) => {
  const { client } = useApi();
  const queryClient = useQueryClient();
  const undo = useUndo();
  return useCallback(
    (plan, action) => {
      const refresh = () => {
        for (const queryKey of [[EMAIL_LISTS_KEY], SUGGESTIONS_KEY, SENDERS_KEY, ['history']]) {
          void queryClient.invalidateQueries({ queryKey });
        }
      };
      const gesture = beginGesture();
      const start = async () => {
        const title = describeStart(action, plan.total);
        const toast = showToast({ title, tone: 'working' });
        const undoable: UndoableAction = {
          label: title,
          undo: async () => {
            hideToast(toast);
            const batch = await findBatch(client, plan.batchId);
            const undone = await changeMailbox(queryClient, () =>
              undoBatches(client, batch ? [batch] : [], beginGesture(), () => undefined),
            );
            refresh();
            return { undone: undone.undone, failures: undone.reasons };
          },
        };
        const undoAction = { label: 'Undo', keyCap: 'Z', run: () => void undo.run(undoable) };
        try {
          const done = await changeMailbox(queryClient, () =>
            runCleanup(client, plan.id, gesture, (cleanup) =>
              updateToast(toast, { title, detail: describeProgress(cleanup), tone: 'working' }),
            ),
          );
          refresh();
          if (done.changed > 0) undo.push(undoable);
          const words = describeResult(action, done);
          const isCompleted = done.state === 'completed';
          updateToast(toast, {
            ...words,
            ...(isCompleted
              ? {}
              : { detail: [words.detail, 'It stopped before the end.'].filter(Boolean).join(' · ') }),
            tone: isCompleted ? 'done' : 'failed',
            ...(done.changed > 0 && { action: undoAction }),
          });
        } catch (error) {
          refresh();
          const { title: problem, advice } = describeError(error);
          updateToast(toast, {
            title: problem,
            detail: `${advice} What the server has begun goes on: see the history.`,
            tone: 'failed',
          });
        }
      };
      void start();
    },
    [client, queryClient, undo],
  );
};
