import type { InboxActionRequest, InboxActionResponse } from '@mailsweep/contracts';
import { actOnEmails } from './act-on-emails.ts';
import type { OpenMailbox } from './dependencies.ts';
import { toExecution } from './execution.ts';
import { LABELS_WANTED } from './label-change.ts';
import type { PlanExecutor } from './plan-executor.ts';

/**
 * Archives, deletes (to the trash) or marks emails unread. Each email succeeds or fails for itself; an id
 * that stands twice counts once.
 *
 * @throws when the action could not be written down; nothing has been done then
 */
export const createExecuteInboxAction =
  (dependencies: { openMailbox: OpenMailbox; planExecutor: PlanExecutor }) =>
  async (userId: string, { emailIds, action }: InboxActionRequest): Promise<InboxActionResponse> => {
    const { results } = await actOnEmails(dependencies, userId, {
      source: 'inbox',
      action,
      requests: [...new Set(emailIds)].map((emailId) => ({
        emailId,
        wanted: LABELS_WANTED[action],
        status: 'ok',
        note: '',
      })),
    });
    return { success: true, ...toExecution(results), action, source: 'inbox', results };
  };
