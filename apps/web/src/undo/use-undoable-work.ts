import { t } from '@lingui/core/macro';
import type { ItemResult } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { describeError, toClause } from '../api/describe-error.ts';
import { beginGesture, type Gesture } from '../api/gesture.ts';
import type { Stop } from '../api/in-chunks.ts';
import { countEmails } from '../email/counts.ts';
import { hideToast, showToast, updateToast } from '../feedback/toasts.tsx';
import { changeMailbox } from '../queries/mailbox-change.ts';
import { type InterruptedWork, rememberIfSignedOut } from '../session/interrupted-work.ts';
import { useUndo } from './undo-context.tsx';
import type { UndoableAction, UndoOutcome } from './undo-stack.ts';

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
  kind: Exclude<InterruptedWork['kind'], 'undo' | 'undo_batches'>;
  emailIds: readonly string[];
  /** While it runs, for example `Archiving 6 emails…`. */
  label: string;
  /** @param gesture - the click or key behind it; the same for each retry */
  perform: (gesture: Gesture) => Promise<PerformedWork>;
  /** Puts the outcome into words; `detail` is empty when everything succeeded. */
  describe: (results: readonly ItemResult[]) => { title: string; detail: string };
}

const needsReauth = (result: ItemResult): boolean =>
  result.status === 'error' && (result.reason === 'reauth_required' || result.reason === 'missing_scope');

const describeStop = (stopped: Stop<string> | undefined): string =>
  stopped
    ? t`${{ emails: countEmails(stopped.left.length) }} not reached: ${{ why: toClause(describeError(stopped.error).title) }}`
    : '';

/** Does such work and shows the outcome. It can be undone from the toast or by key, even while it is in flight. */
export const useUndoableWork = (): ((work: UndoableWork) => void) => {
  const undo = useUndo();
  const queryClient = useQueryClient();
  return useCallback(
    (work) => {
      const gesture = beginGesture();
      const start = async () => {
        const performing = changeMailbox(queryClient, () => work.perform(gesture));
        const undoGesture = beginGesture();
        const undoable: UndoableAction = {
          label: work.label,
          undo: async () => {
            hideToast(toast);
            const done = await performing;
            return changeMailbox(queryClient, () => done.undo(undoGesture)).catch((error: unknown) => {
              rememberIfSignedOut(queryClient, error, { kind: 'undo', ids: done.recordIds });
              throw error;
            });
          },
        };
        const undoAction = { label: t`Undo`, keyCap: 'Z', run: () => void undo.run(undoable) };
        undo.push(undoable);
        const toast = showToast({ title: work.label, tone: 'working', action: undoAction });
        try {
          const { results, stopped } = await performing;
          if (stopped)
            rememberIfSignedOut(queryClient, stopped.error, { kind: work.kind, ids: stopped.left });
          // The response as a whole is good, so only the single results show that the mailbox connection has ended.
          if (results.some(needsReauth)) void queryClient.invalidateQueries({ queryKey: ['me'] });
          const isDone = results.some((result) => result.status === 'ok');
          if (!isDone) undo.remove(undoable);
          const { title, detail: failures } = work.describe(results);
          const detail = [failures, describeStop(stopped)].filter(Boolean).join(' · ');
          const tone = detail ? 'failed' : 'done';
          updateToast(toast, { title, detail, tone, action: isDone ? undoAction : undefined });
        } catch (error) {
          rememberIfSignedOut(queryClient, error, { kind: work.kind, ids: [...work.emailIds] });
          undo.remove(undoable);
          const { title, advice } = describeError(error);
          updateToast(toast, {
            title: t`${title}; nothing was changed`,
            detail: advice,
            tone: 'failed',
            action: { label: t`Try again`, run: () => void start() },
          });
        }
      };
      void start();
    },
    [undo, queryClient],
  );
};
