import { plural, t } from '@lingui/core/macro';
import type { ConfirmAction, ItemResult } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { changesEmails, describeWork, toDone } from '../../email/email-words.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import type { KeptWork, WorkToKeep } from '../../session/kept-work.ts';
import { notePayoff } from '../../session/payoff.ts';
import { useUndoableWork } from '../../undo/use-undoable-work.ts';
import type { OtherAction } from './decisions.ts';
import { type Confirmed, performConfirmation } from './perform-confirmation.ts';

/** The common action, if all had the same; no action leaves emails as they are. */
const findDone = (action: ConfirmAction, confirmed: Confirmed, other: OtherAction | undefined) => {
  const emails = 'emails' in confirmed ? confirmed.emails : [];
  const actions = new Set(emails?.map(({ suggestion }) => suggestion.action));
  const [only] = actions.size === 1 ? actions : [];
  return other?.action ?? (action === 'accept' ? only : undefined);
};

const describe = (
  action: ConfirmAction,
  done: string | undefined,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  // Accepted before, or done by another mail program.
  const unchanged = results.filter((result) => result.status === 'ok' && result.unchanged).length;
  const count = results.length - failed - unchanged;
  const words =
    done !== undefined && changesEmails(done)
      ? `${countEmails(count)} ${toDone(done)}`
      : describeDecided(action, count);
  const title = [
    ...(count > 0 || unchanged === 0 ? [words] : []),
    ...(unchanged > 0 ? [t`${{ emails: countEmails(unchanged) }}: no change needed`] : []),
    ...(failed > 0 ? [t`${{ failed: formatCount(failed) }} could not be processed`] : []),
  ];
  return { title: title.join(' · '), detail: describeFailures(results) };
};

const describeDecided = (action: ConfirmAction, count: number): string =>
  action === 'reject'
    ? plural(count, { one: '# email left as it was', other: '# emails left as they were' })
    : plural(count, { one: '# suggestion accepted', other: '# suggestions accepted' });

const toKept = (confirmed: Confirmed): Omit<WorkToKeep, 'kind'> =>
  'group' in confirmed
    ? { ids: [], group: confirmed.group, count: confirmed.count }
    : { ids: [...confirmed.emailIds] };

/** Accepts or rejects suggestions, or applies another action. */
export const useConfirm = () => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const doWork = useUndoableWork();
  return useCallback(
    (action: ConfirmAction, confirmed: Confirmed, other?: OtherAction, earlier?: KeptWork) => {
      if (action === 'accept') notePayoff(queryClient);
      doWork(
        {
          kept: { kind: action, other, ...toKept(confirmed) },
          label: describeWork(
            findDone(action, confirmed, other) ?? action,
            'group' in confirmed ? confirmed.count : confirmed.emailIds.length,
          ),
          perform: (gesture, onFound) =>
            performConfirmation({ queryClient, client }, action, confirmed, gesture, other, onFound),
          describe: (results) => describe(action, findDone(action, confirmed, other), results),
        },
        earlier,
      );
    },
    [queryClient, client, doWork],
  );
};
