import type { KeyObject } from 'node:crypto';
import {
  type ActionSource,
  CleanupActionSchema,
  type CleanupError,
  CleanupSelectionSchema,
  CountsSchema,
  type FailureReason,
  type ItemResult,
  type RecordedAction,
} from '@mailsweep/contracts';
import type { Database, Prisma } from '@mailsweep/database';
import {
  FINAL_FAULTS,
  type Mailbox,
  type MailboxChanges,
  MailboxError,
  type OpenMailbox,
} from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { Logger } from '@mailsweep/service-kit';
import { actOnEmails, type EmailRequest } from '../../acting/act-on-emails.ts';
import { prepareAcceptances } from '../../acting/prepare-acceptances.ts';
import { prepareChosenAction } from '../../acting/prepare-chosen-action.ts';
import { canChangeMailbox } from '../../concurrency/can-change.repository.ts';
import { MailboxBusyError } from '../../concurrency/mailbox-lock.repository.ts';
import type { LeasedWork } from '../../due-work/due-work.repository.ts';
import type { StepOutcome } from '../../due-work/run-step.ts';
import { findActionHistory } from '../../history/action-history.repository.ts';
import type { IntentExecutor, LeasedMailbox } from '../../intents/intent-executor.ts';
import { resolveSenders } from '../../sender-groups/sender-groups.ts';
import { noteCleanedSenders } from '../../survey/survey.repository.ts';
import { claimCleanup, recordCleanupStep, stopCleanup } from '../cleanup.repository.ts';
import {
  type EmailOutcome,
  listChangedEmails,
  listOpenEmails,
  measureCachedEmails,
  type PlannedEmail,
  readPlannedLabels,
  saveOutcomes,
} from '../cleanup-email.repository.ts';
import { countPlannedActions, STEP_SIZE, toPlannedAction } from '../cleanup-plan.ts';
import { compareWithPlan, findProtection, toChangedEmails } from './skip-reasons.ts';

const SECOND_MS = 1_000;
/** Pauses before a step is tried again, by what it waits for, in milliseconds. */
const PAUSES_MS = {
  in_progress: 2 * SECOND_MS,
  rate_limited: 10 * SECOND_MS,
  mailbox_unavailable: 15 * SECOND_MS,
  daily_limit_exceeded: 15 * 60 * SECOND_MS,
} as const;
type WaitReason = keyof typeof PAUSES_MS;

/** Errors that end when the user or the operator acts: the cleanup is paused until it is resumed. */
const PAUSING: ReadonlySet<string> = new Set<FailureReason>([
  ...FINAL_FAULTS,
  'reauth_required',
  'gmail_api_disabled',
  'provider_configuration',
]);

const isWaitReason = (reason: string): reason is WaitReason => Object.hasOwn(PAUSES_MS, reason);

type CleanupRow = Prisma.CleanupGetPayload<object>;

/**
 * Takes one step of a cleanup: acts on the next {@link STEP_SIZE} emails of its plan, except those that are protected now
 * or were answered or moved since. A step may be repeated after a crash: the ids of its history records are part of
 * the plan, so that what was done is found and not done again.
 */
export const createRunCleanup =
  (dependencies: {
    database: Database;
    cipher: TextCipher;
    senderKey: KeyObject;
    openMailbox: OpenMailbox;
    intentExecutor: IntentExecutor;
    logger: Logger;
    stepSize?: number | undefined;
  }) =>
  async ({ id: cleanupId, userId }: Pick<LeasedWork, 'id' | 'userId'>): Promise<StepOutcome> => {
    const { database, openMailbox, intentExecutor, logger, stepSize = STEP_SIZE } = dependencies;
    try {
      return await intentExecutor.withMailboxLease(userId, takeStep);
    } catch (error) {
      if (!(error instanceof MailboxBusyError)) throw error;
      return { kind: 'wait', waitMs: error.retryAfterMs, reason: 'in_progress' };
    }

    async function takeStep(leased: LeasedMailbox): Promise<StepOutcome> {
      const cleanup = await claimCleanup(database, cleanupId);
      if (cleanup === null || cleanup.userId !== userId) return { kind: 'over' };
      try {
        return await actOnNext(leased, cleanup);
      } catch (error) {
        if (!(error instanceof MailboxError)) throw error;
        return await stopFor(cleanup, error.code, error.retryAfterMs);
      }
    }

    async function actOnNext(leased: LeasedMailbox, cleanup: CleanupRow): Promise<StepOutcome> {
      if (!(await canChangeMailbox(database, userId))) return await stopFor(cleanup, 'missing_scope');
      const listed = await listOpenEmails(database, cleanupId, stepSize);
      if (listed.length === 0) {
        await stopCleanup(database, cleanup, { state: 'completed', error: null });
        const action = CleanupActionSchema.parse(cleanup.action);
        const selection = CleanupSelectionSchema.parse(cleanup.selection);
        const senders = selection.type === 'senders' ? selection.senders : [];
        const sources = await resolveSenders(dependencies, userId, senders);
        await noteCleanedSenders(database, userId, action, [...sources.keys()]);
        return { kind: 'over' };
      }
      const ids = new Set(listed.map(({ id }) => id));
      const pending = await leased.recoverEarlier(({ recordId }) => ids.has(recordId));
      if (pending.length > 0) return await stopFor(cleanup, pending[0]?.reason ?? 'in_progress');
      const mailbox = openMailbox(userId);
      const readLabels = (emailIds: readonly string[]) => readPlannedLabels(database, cleanupId, emailIds);
      const changes = await mailbox.readChangesSince(cleanup.overlapHistoryId, readLabels);
      // Where the provider no longer tells, each email is compared with the plan, in this step and in those to come.
      const compared = changes ? undefined : await compareWithPlan(mailbox, cleanup, listed, readLabels);
      const emails = compared?.emails ?? listed;
      const recorded = await findRecorded(emails);
      const { reasonOf, answeredThreads } = compared ?? toChangedEmails(changes as MailboxChanges);
      const touched = await listChangedEmails(database, cleanupId, {
        emailIds: [...reasonOf.keys()],
        threadIds: [...answeredThreads],
      });
      const skipped = touched
        .filter(({ id }) => !recorded.has(id))
        .map(({ id, emailId }) => toOutcome(id, 'skipped', reasonOf.get(emailId) ?? 'answered'));
      const protection = await findProtection({ ...dependencies, mailbox }, cleanup, emails);
      const wasTouched = new Set(touched.map(({ id }) => id));
      for (const { id, emailId } of emails) {
        const reason = protection.get(emailId);
        if (reason !== undefined && !recorded.has(id) && !wasTouched.has(id)) {
          skipped.push(toOutcome(id, 'skipped', reason));
        }
      }
      const skippedIds = new Set(skipped.map(({ id }) => id));

      const open = emails.filter(({ id }) => !recorded.has(id) && !skippedIds.has(id));
      const acted = await act(leased, cleanup, open);
      const outcomes = [...recorded.values(), ...skipped, ...acted.outcomes];
      const changedIds = new Set(outcomes.filter(({ outcome }) => outcome === 'changed').map(({ id }) => id));
      const changed = emails.filter(({ id }) => changedIds.has(id));
      const count = (wanted: EmailOutcome['outcome']) =>
        outcomes.filter(({ outcome }) => outcome === wanted).length;
      const action = CleanupActionSchema.parse(cleanup.action);
      await database.$transaction(async (tx) => {
        const { sizeBytes } = await measureCachedEmails(
          tx,
          userId,
          changed
            .filter((email) => toPlannedAction(action, email) === 'delete')
            .map(({ emailId }) => emailId),
        );
        const earlier = CountsSchema.parse(cleanup.changedActions);
        const isRecorded = await recordCleanupStep(tx, cleanup, {
          historyId: changes?.historyId ?? cleanup.historyId,
          // Records that are shown late: the next step reads again what this one has read.
          overlapHistoryId: changes?.isLate === false ? changes.historyId : cleanup.historyId,
          changed: changed.length,
          changedActions: countPlannedActions(cleanup.action, changed, earlier),
          changedBytes: sizeBytes,
          unchanged: count('unchanged'),
          skipped: count('skipped'),
          failed: count('failed'),
        });
        if (isRecorded) await saveOutcomes(tx, outcomes);
      });
      const next = { ...cleanup, steps: cleanup.steps + 1 };
      return acted.stoppedBy === undefined ? { kind: 'next' } : await stopFor(next, acted.stoppedBy);
    }

    /** What an earlier attempt at the step has done. */
    async function findRecorded(emails: readonly PlannedEmail[]): Promise<Map<string, EmailOutcome>> {
      const records = await findActionHistory(
        database,
        userId,
        emails.map(({ id }) => id),
      );
      return new Map(
        records.map(({ id, details }) => [id, toOutcome(id, toStatus(details.gmailResponse.status), null)]),
      );
    }

    async function act(leased: LeasedMailbox, cleanup: CleanupRow, emails: readonly PlannedEmail[]) {
      if (emails.length === 0) return { outcomes: [], stoppedBy: undefined };
      const { source, action, requests } = await toEmailRequests(
        { database, mailbox: openMailbox(userId) },
        cleanup,
        emails,
      );
      const { results, records } = await actOnEmails(openMailbox, leased, userId, {
        source,
        action,
        requests,
        batchId: cleanup.batchId,
        ruleId: cleanup.ruleId ?? undefined,
      });
      const statusOf = new Map(records.map(({ id, details }) => [id, details.gmailResponse.status]));
      const idOf = new Map(emails.map(({ id, emailId }) => [emailId, id]));
      let stoppedBy: FailureReason | undefined;
      const outcomes = results.flatMap((result: ItemResult): EmailOutcome[] => {
        const id = idOf.get(result.emailId);
        if (id === undefined) return [];
        // Without a record the change was made, and its exact outcome is recorded later.
        if (result.status === 'ok') return [toOutcome(id, toStatus(statusOf.get(id) ?? 'ok'), null)];
        if (result.reason === 'changed_since') return [toOutcome(id, 'skipped', 'moved')];
        if (!isWaitReason(result.reason) && !PAUSING.has(result.reason)) {
          return [toOutcome(id, 'failed', result.reason)];
        }
        stoppedBy ??= result.reason;
        return [];
      });
      return { outcomes, stoppedBy };
    }

    /** Waits, pauses or fails, by the reason. */
    async function stopFor(
      cleanup: Pick<CleanupRow, 'id' | 'steps'>,
      reason: CleanupError | FailureReason,
      retryAfterMs?: number,
    ): Promise<StepOutcome> {
      if (isWaitReason(reason)) {
        await stopCleanup(database, cleanup, { state: 'waiting', error: reason });
        return { kind: 'wait', waitMs: retryAfterMs ?? PAUSES_MS[reason], reason };
      }
      const state = PAUSING.has(reason) ? 'paused' : 'failed';
      logger.warn({ cleanupId, userId, reason, state }, 'a cleanup stopped');
      await stopCleanup(database, cleanup, { state, error: reason });
      return { kind: 'over' };
    }
  };

const toStatus = (status: 'ok' | 'skipped' | 'unchanged'): EmailOutcome['outcome'] =>
  status === 'ok' ? 'changed' : 'unchanged';

const toOutcome = (id: string, outcome: EmailOutcome['outcome'], reason: string | null): EmailOutcome => ({
  id,
  outcome,
  reason,
});

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
const toEmailRequests = async (
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
