import type { ConfirmRequest, ConfirmResponse, Suggestion } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type FoundLabel, NO_CHANGE } from '@mailsweep/mailbox-sync';
import type { IdempotentRequest } from '../concurrency/idempotency-key.repository.ts';
import type { OpenMailbox } from '../dependencies.ts';
import { findActionHistory } from '../history/action-history.repository.ts';
import type { LeasedMailbox, PlanExecutor } from '../intents/plan-executor.ts';
import { listNoMail, listSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { listRepeatedConfirmations } from '../suggestions/repeated-confirmations.repository.ts';
import { actOnEmails, type EmailRequest, resumeActing, toExecution } from './act-on-emails.ts';
import { findClassificationLabels } from './classification-labels.ts';
import { LABEL_CHANGES } from './label-change.ts';

/** The labels for classifications. */
type Labels = ReadonlyMap<string, FoundLabel>;

/**
 * Accepts or rejects the stored suggestions of emails. Accepting carries them out; an email without a suggestion is
 * archived. Both are recorded and published as an event. A repeated confirmation that changes nothing is recorded, but
 * not published again.
 *
 * @throws {MailboxBusyError} when other changes of the mailbox take too long; nothing has been done then
 * @throws when the intent could not be stored; nothing has been done then
 */
export const createConfirmSuggestions =
  (dependencies: { database: Database; openMailbox: OpenMailbox; planExecutor: PlanExecutor }) =>
  async (
    userId: string,
    request: ConfirmRequest,
    idempotency?: IdempotentRequest,
  ): Promise<ConfirmResponse> => {
    const { action } = request;
    const { database, openMailbox, planExecutor } = dependencies;
    const emailIds = [...new Set(request.emailIds)];
    const resumed = emailIds.flatMap((emailId) => idempotency?.done.get(emailId) ?? []);
    const records = resumed.length === 0 ? [] : await findActionHistory(database, userId, resumed);
    const toResume = { database, userId, emailIds, idempotency };
    const results = await resumeActing(toResume, async (openIds, batchId) => {
      const acted = await planExecutor.withMailboxLease(userId, (leased) =>
        confirm(leased, openIds, batchId),
      );
      records.push(...acted.records);
      return acted.results;
    });
    const recordOf = new Map(records.map((record) => [record.emailId, record]));
    const { execution, summary } = toExecution(results);
    return {
      success: true,
      processed: summary.processed,
      emailIds,
      action,
      data: emailIds.flatMap((emailId) => recordOf.get(emailId) ?? []),
      execution,
      summary,
      results,
    };

    async function confirm(leased: LeasedMailbox, ids: string[], batchId: string | undefined) {
      const suggestions = await listSuggestions(database, userId, ids);
      const noMail = await listNoMail(database, userId, ids);
      const repeated = await listRepeatedConfirmations(database, userId, ids, action);
      const toRequest = action === 'accept' ? await createToAcceptance(suggestions, ids) : toRejection;
      return await actOnEmails(openMailbox, leased, userId, {
        source: 'suggestions',
        action,
        requests: ids.map((emailId) => ({
          ...toRequest(emailId, suggestions.get(emailId) ?? []),
          isRepeated: repeated.has(emailId),
          ...(noMail.has(emailId) ? { refusal: 'not_found' as const } : {}),
        })),
        batchId,
        idempotencyKey: idempotency?.key,
      });
    }

    async function createToAcceptance(suggestions: Map<string, Suggestion[]>, ids: string[]) {
      // In the order of the request: where labels are limited, the first emails get them.
      const best = ids.flatMap((id) => suggestions.get(id)?.[0] ?? []);
      const classifications = best
        .filter((suggestion) => suggestion.action === 'label')
        .map(({ classification }) => classification);
      const labels = await findClassificationLabels(openMailbox(userId), classifications);
      return (emailId: string, shown: Suggestion[]) => toAcceptance(emailId, shown, labels);
    }
  };

const toRejection = (emailId: string, shown: Suggestion[]): EmailRequest => ({
  emailId,
  labelChange: NO_CHANGE,
  status: 'skipped',
  note: 'Rejected: the mailbox was left as it was.',
  suggestions: shown,
});

const toAcceptance = (emailId: string, shown: Suggestion[], labels: Labels): EmailRequest => {
  const [best] = shown;
  if (best === undefined) {
    const note = 'No suggestion was stored for this email, so it was archived.';
    return { emailId, labelChange: LABEL_CHANGES.archive, status: 'ok', note };
  }
  return {
    emailId,
    ...toLabelChange(best, labels),
    status: best.action === 'notify' ? 'skipped' : 'ok',
    note: `Accepted: ${best.action} (${best.classification}).`,
    suggestions: shown,
  };
};

const toLabelChange = (
  { action, classification }: Suggestion,
  labels: Labels,
): Pick<EmailRequest, 'labelChange' | 'refusal'> => {
  switch (action) {
    case 'archive':
    case 'delete':
      return { labelChange: LABEL_CHANGES[action] };
    case 'label': {
      const label = labels.get(classification);
      if (label === undefined) return { labelChange: NO_CHANGE };
      if ('reason' in label) return { labelChange: NO_CHANGE, refusal: label.reason };
      return { labelChange: { added: [label.id], removed: [] } };
    }
    case 'notify':
      return { labelChange: NO_CHANGE };
  }
};
