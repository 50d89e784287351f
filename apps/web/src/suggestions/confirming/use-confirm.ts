import { t } from '@lingui/core/macro';
import type { ConfirmAction, ItemResult } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import { useUndoableWork } from '../../undo/use-undoable-work.ts';
import { type Confirmed, performConfirmation } from './perform-confirmation.ts';

const DONE: Record<ConfirmAction, (emails: string) => string> = {
  accept: (emails) => t`${emails} processed`,
  reject: (emails) => t`${emails} left as they were`,
};
const WORKING: Record<ConfirmAction, (emails: string) => string> = {
  accept: (emails) => t`Processing ${emails}…`,
  reject: (emails) => t`Rejecting for ${emails}…`,
};

const describe = (
  action: ConfirmAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  const done = results.length - failed;
  if (failed === 0) return { title: DONE[action](countEmails(done)), detail: '' };
  return {
    title: t`${{ done: DONE[action](formatCount(done)) }} · ${{ failed: formatCount(failed) }} could not be processed`,
    detail: describeFailures(results),
  };
};

/** Accepts or rejects the suggestions for emails. */
export const useConfirm = (): ((action: ConfirmAction, confirmed: Confirmed) => void) => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const doWork = useUndoableWork();
  return useCallback(
    (action, confirmed) =>
      doWork({
        kind: action,
        // What is still to be found may be another set of emails after an interruption.
        emailIds: 'group' in confirmed ? [] : confirmed.emailIds,
        label: WORKING[action](
          countEmails('group' in confirmed ? confirmed.count : confirmed.emailIds.length),
        ),
        perform: (gesture) => performConfirmation({ queryClient, client }, action, confirmed, gesture),
        describe: (results) => describe(action, results),
      }),
    [queryClient, client, doWork],
  );
};
