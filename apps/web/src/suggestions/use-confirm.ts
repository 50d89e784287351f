import type { ConfirmAction, ItemResult } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../api/api-context.tsx';
import { countEmails, formatCount } from '../email/counts.ts';
import { describeFailures } from '../feedback/failure-reasons.ts';
import { useUndoableWork } from '../undo/use-undoable-work.ts';
import { performConfirmation } from './perform-confirmation.ts';

const DONE: Record<ConfirmAction, (emails: string) => string> = {
  accept: (emails) => `${emails} processed`,
  reject: (emails) => `${emails} left as they were`,
};
const WORKING: Record<ConfirmAction, (emails: string) => string> = {
  accept: (emails) => `Processing ${emails}…`,
  reject: (emails) => `Rejecting for ${emails}…`,
};

const describe = (
  action: ConfirmAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  const done = results.length - failed;
  if (failed === 0) return { title: DONE[action](countEmails(done)), detail: '' };
  return {
    title: `${DONE[action](formatCount(done))} · ${formatCount(failed)} could not be processed`,
    detail: describeFailures(results),
  };
};

/** Accepts or rejects the suggestions for emails. */
export const useConfirm = (): ((action: ConfirmAction, emailIds: string[]) => void) => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const doWork = useUndoableWork();
  return useCallback(
    (action, emailIds) =>
      doWork({
        kind: action,
        emailIds,
        label: WORKING[action](countEmails(emailIds.length)),
        perform: (gesture) => performConfirmation({ queryClient, client }, action, emailIds, gesture),
        describe: (results) => describe(action, results),
      }),
    [queryClient, client, doWork],
  );
};
