import type { InboxAction } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { describeError } from '../api/describe-error.ts';
import { showToast, updateToast } from '../feedback/toasts.tsx';
import { useUndo } from '../undo/undo-context.tsx';
import type { UndoableAction } from '../undo/undo-stack.ts';
import { describeOutcome, describeWork } from './describe-outcome.ts';
import { performInboxAction } from './perform-inbox-action.ts';

/** Acts on mails and tells how it went, with a way back while it runs and after. */
export const useInboxActions = (): ((action: InboxAction, emailIds: string[]) => void) => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const undo = useUndo();

  return useCallback(
    (action, emailIds) => {
      const start = async () => {
        const performing = performInboxAction({ queryClient, client }, action, emailIds);
        const undoable: UndoableAction = {
          label: describeWork(action, emailIds.length),
          undo: async () => (await performing).undo(),
        };
        const undoAction = { label: 'Undo', keyCap: 'Z', run: () => void undo.run(undoable) };
        undo.push(undoable);
        const toast = showToast({ title: undoable.label, tone: 'working', action: undoAction });
        try {
          const { results } = await performing;
          const done = results.some((result) => result.status === 'ok');
          if (!done) undo.remove(undoable);
          const { title, detail } = describeOutcome(action, results);
          updateToast(toast, { title, detail, tone: detail ? 'failed' : 'done', action: done ? undoAction : undefined });
        } catch (error) {
          undo.remove(undoable);
          const { title, advice } = describeError(error);
          updateToast(toast, {
            title: `${title}; nothing was changed`,
            detail: advice,
            tone: 'failed',
            action: { label: 'Try again', run: () => void start() },
          });
        }
      };
      void start();
    },
    [queryClient, client, undo],
  );
};
