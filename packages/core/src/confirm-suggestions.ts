import type { ConfirmRequest, ConfirmResponse, LabelChange, Suggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { actOnEmails, type EmailRequest } from './act-on-emails.ts';
import type { OpenMailbox } from './dependencies.ts';
import { listSuggestions } from './email-suggestion.repository.ts';
import { toExecution } from './execution.ts';
import { LABELS_WANTED, NO_CHANGE } from './label-change.ts';
import type { PlanExecutor } from './plan-executor.ts';

/** Parent of the mailbox labels that accepted `label` suggestions put on emails. */
const LABEL_PREFIX = 'Mailsweep/';

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
      const labelIds = await findLabels([...suggestions.values()].flatMap((list) => list[0] ?? []));
      return (emailId: string, shown: Suggestion[]) => toAcceptance(emailId, shown, labelIds);
    }

    /** The label ids for the classifications among the chosen suggestions; missing labels are made. */
    async function findLabels(chosen: Suggestion[]): Promise<Map<string, string>> {
      const names = new Set(
        chosen.filter(({ action: what }) => what === 'label').map((one) => one.classification),
      );
      const mailbox = dependencies.openMailbox(userId);
      const labelIds = new Map<string, string>();
      for (const name of names) labelIds.set(name, await mailbox.findOrCreateLabel(`${LABEL_PREFIX}${name}`));
      return labelIds;
    }
  };

const toRejection = (emailId: string, shown: Suggestion[]): EmailRequest => ({
  emailId,
  wanted: NO_CHANGE,
  status: 'skipped',
  note: 'Rejected: the mailbox was left as it was.',
  suggestions: shown,
});

const toAcceptance = (emailId: string, shown: Suggestion[], labelIds: Map<string, string>): EmailRequest => {
  const [best] = shown;
  if (best === undefined) {
    const note = 'No suggestion was stored for this email, so it was archived.';
    return { emailId, wanted: LABELS_WANTED.archive, status: 'ok', note };
  }
  return {
    emailId,
    wanted: toWantedChange(best, labelIds),
    status: best.action === 'notify' ? 'skipped' : 'ok',
    note: `Accepted: ${best.action} (${best.classification}).`,
    suggestions: shown,
  };
};

const toWantedChange = (
  { action, classification }: Suggestion,
  labelIds: Map<string, string>,
): LabelChange => {
  switch (action) {
    case 'archive':
    case 'delete':
      return LABELS_WANTED[action];
    case 'label': {
      const labelId = labelIds.get(classification);
      return labelId === undefined ? NO_CHANGE : { added: [labelId], removed: [] };
    }
    case 'notify':
      return NO_CHANGE;
  }
};
