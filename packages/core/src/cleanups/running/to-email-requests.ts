import {
  type ActionSource,
  CleanupActionSchema,
  CleanupSelectionSchema,
  type RecordedAction,
} from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';
import type { Mailbox } from '@mailsweep/mailbox';
import type { EmailRequest } from '../../acting/act-on-emails.ts';
import { prepareAcceptances } from '../../acting/prepare-acceptances.ts';
import { prepareChosenAction } from '../../acting/prepare-chosen-action.ts';
import type { PlannedEmail } from '../cleanup-email.repository.ts';

/** What is requested for the emails of a cleanup, and how it is recorded. */
interface RequestedActions {
  source: ActionSource;
  action: RecordedAction;
  requests: EmailRequest[];
}

/**
 * The label changes of a step. Another action than the suggested one, for emails that were selected by their suggestions,
 * is a decision about these, too; that of a rule is none. Each request carries the id of its history record, which is part of the plan.
 *
 * @throws MailboxError when the label can't be found or created
 */
export const toEmailRequests = async (
  { database, mailbox }: { database: Database; mailbox: Mailbox },
  cleanup: Pick<Prisma.CleanupGetPayload<object>, 'userId' | 'action' | 'label' | 'ruleId' | 'selection'>,
  emails: readonly PlannedEmail[],
): Promise<RequestedActions> => {
  const action = CleanupActionSchema.parse(cleanup.action);
  if (action === 'accept') {
    const { userId } = cleanup;
    const toAcceptance = await prepareAcceptances({ database, userId, mailbox }, toSuggestions(emails));
    const requests = emails.map(({ id, emailId }) => ({ ...toAcceptance(emailId), recordId: id }));
    return { source: 'suggestions', action, requests };
  }
  const { ruleId, label } = cleanup;
  const isDecision =
    ruleId === null && CleanupSelectionSchema.parse(cleanup.selection).type === 'suggestions';
  const suggestions = isDecision ? toSuggestions(emails) : undefined;
  const toRequest = await prepareChosenAction(mailbox, { action, label: label ?? undefined }, suggestions);
  const requests = emails.map(({ id, emailId }) => ({ ...toRequest(emailId), recordId: id }));
  const source = isDecision ? 'suggestions' : ruleId === null ? 'cleanup' : 'rule';
  return { source, action, requests };
};

const toSuggestions = (emails: readonly PlannedEmail[]) =>
  new Map(emails.map((email) => [email.emailId, email.suggestions ?? []]));
