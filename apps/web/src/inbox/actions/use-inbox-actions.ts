import type { InboxAction } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { ACTION_WORKING } from '../../email/action-words.ts';
import { countEmails } from '../../email/counts.ts';
import type { KeptWork } from '../../session/kept-work.ts';
import { useUndoableWork } from '../../undo/use-undoable-work.ts';
import { describeOutcome } from './describe-outcome.ts';
import { performInboxAction } from './perform-inbox-action.ts';

/** Archives, deletes or marks emails. */
export const useInboxActions = () => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const doWork = useUndoableWork();
  return useCallback(
    (action: InboxAction, emailIds: string[], earlier?: KeptWork) =>
      doWork(
        {
          kept: { kind: action, ids: emailIds },
          label: ACTION_WORKING[action](countEmails(emailIds.length)),
          perform: (gesture) => performInboxAction({ queryClient, client }, action, emailIds, gesture),
          describe: (results) => describeOutcome(action, results),
        },
        earlier,
      ),
    [queryClient, client, doWork],
  );
};
