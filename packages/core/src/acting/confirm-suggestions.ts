import type {
  ConfirmRequest,
  ConfirmResponse,
  FailureReason,
  StoppedSuggestion,
  Suggestion,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { MailboxError, NO_CHANGE, type OpenMailbox } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { IdempotentRequest } from '../concurrency/idempotency.repository.ts';
import { findActionHistory } from '../history/action-history.repository.ts';
import type { IntentExecutor, LeasedMailbox } from '../intents/intent-executor.ts';
import { listStoppedBy } from '../learning/stopped-suggestion.repository.ts';
import {
  listNoMail,
  listRepeatedConfirmations,
  listSuggestions,
  rateSuggestions,
} from '../suggestions/email-suggestion.repository.ts';
import { withholdSuggestions } from '../suggestions/suggest-actions.ts';
import { actOnEmails, type EmailRequest, resumeActing, toExecution } from './act-on-emails.ts';
import { prepareAcceptances } from './prepare-acceptances.ts';
import { prepareChosenAction } from './prepare-chosen-action.ts';

/**
 * Accepts or rejects the stored suggestions of emails. Accepting carries them out; an email without a suggestion is
 * archived. The user may choose another action for all of them. All is recorded and published as an event. A repeated confirmation that changes nothing is recorded, but
 * not published again.
 *
 * @throws {MailboxBusyError} when other changes of the mailbox take too long; nothing has been done then
 * @throws when the intent could not be stored; nothing has been done then
 */
export const createConfirmSuggestions =
  (dependencies: {
    database: Database;
    cipher: TextCipher;
    openMailbox: OpenMailbox;
    intentExecutor: IntentExecutor;
  }) =>
  async (
    userId: string,
    request: ConfirmRequest,
    idempotency?: IdempotentRequest,
  ): Promise<ConfirmResponse> => {
    const { action, as, label } = request;
    const { database, openMailbox, intentExecutor } = dependencies;
    const emailIds = [...new Set(request.emailIds)];
    const resumed = emailIds.flatMap((emailId) => idempotency?.done.get(emailId) ?? []);
    const records = resumed.length === 0 ? [] : await findActionHistory(database, userId, resumed);
    const toResume = { database, userId, emailIds, idempotency };
    const results = await resumeActing(toResume, async (openIds, batchId) => {
      const acted = await intentExecutor.withMailboxLease(userId, (leased) =>
        confirm(leased, openIds, batchId),
      );
      records.push(...acted.records);
      return acted.results;
    });
    const recordOf = new Map(records.map((record) => [record.emailId, record]));
    const { execution, summary } = toExecution(results);
    const stopped = action === 'reject' ? await findStopped(records.map(({ id }) => id)) : [];
    return {
      success: true,
      processed: summary.processed,
      emailIds,
      action,
      data: emailIds.flatMap((emailId) => recordOf.get(emailId) ?? []),
      execution,
      summary,
      results,
      ...(stopped.length > 0 && { stopped }),
    };

    /** What was rejected is recorded by now: an error here must not turn that into a failure. */
    async function findStopped(recordIds: string[]): Promise<StoppedSuggestion[]> {
      if (recordIds.length === 0) return [];
      return await listStoppedBy(dependencies, userId, recordIds).catch(() => []);
    }

    async function confirm(leased: LeasedMailbox, ids: string[], batchId: string | undefined) {
      const suggestions = await listSuggestions(database, userId, ids);
      const noMail = await listNoMail(database, userId, ids);
      const repeated = await listRepeatedConfirmations(database, userId, ids, as ?? action);
      // In the order of the request: where labels are limited, the first emails get them.
      const stored = ids.map((id) => ({ id, suggestions: suggestions.get(id) ?? [] }));
      const reduced = await findShown(stored);
      const confirmed = stored.map(({ id, suggestions }): [string, Suggestion[]] => {
        const seen = reduced.get(id) ?? suggestions;
        if (action === 'accept') return [id, seen];
        // All are rejected, and what the user has seen comes first.
        return [id, [...seen, ...suggestions.filter((suggestion) => !seen.includes(suggestion))]];
      });
      const rated = await rateSuggestions(database, userId, new Map(confirmed));
      const shown = new Map([...rated].map(([id, { suggestions }]) => [id, suggestions]));
      const toRequest = await prepareRequests(shown);
      return await actOnEmails(openMailbox, leased, userId, {
        source: 'suggestions',
        action: as ?? action,
        requests: ids.map((emailId) => ({
          ...toRequest(emailId),
          // Changing the mailbox can drop the cache, and with it what says who sent the email.
          senderId: rated.get(emailId)?.senderId,
          isRepeated: repeated.has(emailId),
          ...(noMail.has(emailId) ? { refusal: 'not_found' as const } : {}),
        })),
        batchId,
        idempotencyKey: idempotency?.key,
      });
    }

    async function prepareRequests(shown: ReadonlyMap<string, Suggestion[]>) {
      if (action === 'reject') return (emailId: string) => toRejection(emailId, shown.get(emailId) ?? []);
      const mailbox = openMailbox(userId);
      if (as === undefined) return await prepareAcceptances({ database, userId, mailbox }, shown);
      return await prepareChosenAction(mailbox, { action: as, label }, shown).catch((error: unknown) => {
        if (!(error instanceof MailboxError)) throw error;
        return (emailId: string): EmailRequest => ({ ...toRefusal(emailId, error.code), label });
      });
    }

    /**
     * The suggestions shown, without withheld ones: accepting carries out no more. If none is shown, the user named the email
     * nevertheless, and accepting carries out the stored ones.
     */
    async function findShown(
      stored: { id: string; suggestions: Suggestion[] }[],
    ): Promise<Map<string, Suggestion[]>> {
      const left = await withholdSuggestions(database, userId, stored);
      return new Map(
        left
          .filter(({ suggestions }) => suggestions.length > 0)
          .map(({ id, suggestions }) => [id, suggestions]),
      );
    }
  };

const toRefusal = (emailId: string, refusal: FailureReason): EmailRequest => ({
  emailId,
  labelChange: NO_CHANGE,
  status: 'skipped',
  note: '',
  refusal,
});

const toRejection = (emailId: string, shown: Suggestion[]): EmailRequest => ({
  emailId,
  labelChange: NO_CHANGE,
  status: 'skipped',
  note: 'Rejected: the mailbox was left as it was.',
  suggestions: shown,
});
