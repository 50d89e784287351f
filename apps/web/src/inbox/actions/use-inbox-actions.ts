import { i18n } from '@lingui/core';
import { t } from '@lingui/core/macro';
import type { InboxAction, ItemResult } from '@mailsweep/contracts';
import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { useApi } from '../../api/api-context.tsx';
import { countEmails, formatCount } from '../../email/counts.ts';
import { ALREADY_DONE, describeWork, toDone } from '../../email/email-words.ts';
import { describeFailures } from '../../feedback/failure-reasons.ts';
import type { KeptWork } from '../../session/kept-work.ts';
import { useUndoableWork } from '../../undo/use-undoable-work.ts';
import { performInboxAction } from './perform-inbox-action.ts';

/** The outcome by email: `6 archived · 1 already archived · 2 could not be processed`. */
export const describeOutcome = (
  action: InboxAction,
  results: readonly ItemResult[],
): { title: string; detail: string } => {
  const failed = results.filter((result) => result.status === 'error').length;
  // Another tab or mail program was faster.
  const unchanged = results.filter((result) => result.status === 'ok' && result.unchanged).length;
  const changed = results.length - failed - unchanged;
  const parts: [count: number, words: string][] = [
    [changed, toDone(action)],
    [unchanged, i18n._(ALREADY_DONE[action])],
    [failed, t`could not be processed`],
  ];
  const shown = parts.filter(([count]) => count > 0);
  const isOne = shown.length === 1;
  const title = shown.map(([count, words]) => `${isOne ? countEmails(count) : formatCount(count)} ${words}`);
  return { title: title.join(' · '), detail: describeFailures(results) };
};

export const useInboxActions = () => {
  const queryClient = useQueryClient();
  const { client } = useApi();
  const doWork = useUndoableWork();
  return useCallback(
    (action: InboxAction, emailIds: string[], earlier?: KeptWork) =>
      doWork(
        {
          kept: { kind: action, ids: emailIds },
          label: describeWork(action, emailIds.length),
          perform: (gesture) => performInboxAction({ queryClient, client }, action, emailIds, gesture),
          describe: (results) => describeOutcome(action, results),
        },
        earlier,
      ),
    [queryClient, client, doWork],
  );
};
