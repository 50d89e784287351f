import type { ConfirmRequest, ConfirmResponse, Suggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type Mailbox, MailboxError, NO_CHANGE } from '@mailsweep/mailbox';
import { actOnEmails, type EmailRequest } from './act-on-emails.ts';
import type { OpenMailbox } from './dependencies.ts';
import { listSuggestions } from './email-suggestion.repository.ts';
import { toExecution } from './execution.ts';
import { LABELS_WANTED } from './label-change.ts';
import type { PlanExecutor } from './plan-executor.ts';

/** Parent of the mailbox labels that accepted `label` suggestions put on emails. */
const LABEL_PREFIX = 'Mailsweep/';

/** By classification: the id of its mailbox label, or why there is none. */
type Labels = Map<string, string | MailboxError>;

/**
 * Carries out (accept) or turns down (reject) what was last suggested for emails. Accepting an email without
 * a suggestion archives it. Either way the answer is remembered, and an event tells of it.
 *
 * @throws when the answer could not be written down; nothing has been done then
 */
export const createConfirmSuggestions =
  (dependencies: { database: Database; openMailbox: OpenMailbox; planExecutor: PlanExecutor }) =>
  async (userId: string, request: ConfirmRequest): Promise<ConfirmResponse> => {
    const { action } = request;
    const emailIds = [...new Set(request.emailIds)];
    const suggestions = await listSuggestions(dependencies.database, userId, emailIds);
    const toRequest = action === 'accept' ? await createToAcceptance() : toRejection;

    const { results, records } = await actOnEmails(dependencies, userId, {
      source: 'suggestions',
      action,
      requests: emailIds.map((emailId) => toRequest(emailId, suggestions.get(emailId) ?? [])),
    });
    const { execution, summary } = toExecution(results);
    return {
      success: true,
      processed: summary.processed,
      emailIds,
      action,
      data: records,
      execution,
      summary,
      results,
    };

    async function createToAcceptance() {
      const labels = await findLabels([...suggestions.values()].flatMap((list) => list[0] ?? []));
      return (emailId: string, shown: Suggestion[]) => toAcceptance(emailId, shown, labels);
    }

    /** The labels for the classifications among the chosen suggestions; missing ones are made. */
    async function findLabels(chosen: Suggestion[]): Promise<Labels> {
      const names = new Set(
        chosen.filter(({ action: what }) => what === 'label').map((one) => one.classification),
      );
      const mailbox = dependencies.openMailbox(userId);
      const labels: Labels = new Map();
      for (const name of names) labels.set(name, await findLabel(mailbox, `${LABEL_PREFIX}${name}`));
      return labels;
    }
  };

/** A label that can't be had fails the emails that want it, and no others: the fault is answered, not thrown. */
const findLabel = async (mailbox: Mailbox, name: string): Promise<string | MailboxError> => {
  try {
    return await mailbox.findOrCreateLabel(name);
  } catch (error) {
    if (error instanceof MailboxError) return error;
    throw error;
  }
};

const toRejection = (emailId: string, shown: Suggestion[]): EmailRequest => ({
  emailId,
  wanted: NO_CHANGE,
  status: 'skipped',
  note: 'Rejected: the mailbox was left as it was.',
  suggestions: shown,
});

const toAcceptance = (emailId: string, shown: Suggestion[], labels: Labels): EmailRequest => {
  const [best] = shown;
  if (best === undefined) {
    const note = 'No suggestion was stored for this email, so it was archived.';
    return { emailId, wanted: LABELS_WANTED.archive, status: 'ok', note };
  }
  return {
    emailId,
    ...toWantedChange(best, labels),
    status: best.action === 'notify' ? 'skipped' : 'ok',
    note: `Accepted: ${best.action} (${best.classification}).`,
    suggestions: shown,
  };
};

const toWantedChange = (
  { action, classification }: Suggestion,
  labels: Labels,
): Pick<EmailRequest, 'wanted' | 'refusal'> => {
  switch (action) {
    case 'archive':
    case 'delete':
      return { wanted: LABELS_WANTED[action] };
    case 'label': {
      const label = labels.get(classification);
      if (label instanceof MailboxError) return { wanted: NO_CHANGE, refusal: label };
      return { wanted: label === undefined ? NO_CHANGE : { added: [label], removed: [] } };
    }
    case 'notify':
      return { wanted: NO_CHANGE };
  }
};
