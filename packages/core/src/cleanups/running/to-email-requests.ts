import { type ActionSource, CleanupActionSchema, type RecordedAction } from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';
import type { Mailbox } from '@mailsweep/mailbox-sync';
import type { EmailRequest } from '../../acting/act-on-emails.ts';
import { findOwnLabel } from '../../acting/classification-labels.ts';
import { LABEL_CHANGES } from '../../acting/label-change.ts';
import { planAcceptances } from '../../acting/plan-acceptances.ts';
import type { PlannedEmail } from '../cleanup-email.repository.ts';

/** What is requested for the emails of a cleanup, and how it is recorded. */
interface RequestedActions {
  source: ActionSource;
  action: RecordedAction;
  requests: EmailRequest[];
}

/**
 * The label changes of a step. Each request carries the id of its history record, which is part of the plan.
 *
 * @throws MailboxError when the label can't be found or created
 */
export const toEmailRequests = async (
  { database, mailbox }: { database: Database; mailbox: Mailbox },
  cleanup: Pick<Prisma.CleanupGetPayload<object>, 'userId' | 'action' | 'label' | 'ruleId'>,
  emails: readonly PlannedEmail[],
): Promise<RequestedActions> => {
  const action = CleanupActionSchema.parse(cleanup.action);
  if (action === 'accept') {
    const suggestions = new Map(emails.map((email) => [email.emailId, email.suggestions ?? []]));
    const toAcceptance = await planAcceptances({ database, userId: cleanup.userId, mailbox }, suggestions);
    const requests = emails.map(({ id, emailId }) => ({ ...toAcceptance(emailId), recordId: id }));
    return { source: 'suggestions', action, requests };
  }
  const labelChange =
    action === 'label'
      ? { added: [await findOwnLabel(mailbox, cleanup.label ?? '')], removed: [] }
      : LABEL_CHANGES[action];
  const label = cleanup.label ?? undefined;
  const requests = emails.map(
    ({ id, emailId }): EmailRequest => ({
      emailId,
      labelChange,
      label,
      status: 'ok',
      note: '',
      recordId: id,
    }),
  );
  return { source: cleanup.ruleId === null ? 'cleanup' : 'rule', action, requests };
};
