import type { InboxActionRequest, InboxActionResponse } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import type { IdempotentRequest } from '../concurrency/idempotency.repository.ts';
import type { IntentExecutor } from '../intents/intent-executor.ts';
import { actOnEmails, type EmailRequest, resumeActing, toExecution } from './act-on-emails.ts';
import { LABEL_CHANGES } from './prepare-chosen-action.ts';

/**
 * Archives, deletes (to the trash) or marks emails read or unread. Each email succeeds or fails for itself; an id
 * listed twice counts once.
 *
 * @throws {MailboxBusyError} when other changes of the mailbox take too long; nothing has been done then
 * @throws when the action could not be written down; nothing has been done then
 */
export const createExecuteInboxAction =
  (dependencies: { database: Database; openMailbox: OpenMailbox; intentExecutor: IntentExecutor }) =>
  async (
    userId: string,
    { emailIds, action }: InboxActionRequest,
    idempotency?: IdempotentRequest,
  ): Promise<InboxActionResponse> => {
    const toRequest = (emailId: string): EmailRequest => ({
      emailId,
      labelChange: LABEL_CHANGES[action],
      status: 'ok',
      note: '',
    });
    const { database, openMailbox, intentExecutor } = dependencies;
    const request = { database, userId, emailIds: [...new Set(emailIds)], idempotency };
    const results = await resumeActing(request, async (openIds, batchId) => {
      const requests = openIds.map(toRequest);
      const acted = await intentExecutor.withMailboxLease(userId, (leased) =>
        actOnEmails(openMailbox, leased, userId, {
          source: 'inbox',
          action,
          requests,
          batchId,
          idempotencyKey: idempotency?.key,
        }),
      );
      return acted.results;
    });
    return { success: true, ...toExecution(results), action, source: 'inbox', results };
  };
