import type { KeyObject } from 'node:crypto';
import type { Database } from '@mailsweep/database';
import type { QueueBackend } from '@mailsweep/event-bus';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { createEraseUser } from './account/erase-user.ts';
import { listOutgoingCalls } from './account/outgoing-calls.repository.ts';
import { exportPersonalData } from './account/personal-data.repository.ts';
import { createPreferences } from './account/update-preferences.ts';
import { createConfirmSuggestions } from './acting/confirm-suggestions.ts';
import { createExecuteInboxAction } from './acting/execute-inbox-action.ts';
import { getActivity } from './activity/activity.repository.ts';
import { createCleanups } from './cleanups/cleanups.ts';
import { requireCanChange } from './concurrency/can-change.repository.ts';
import { createIdempotency } from './concurrency/idempotency.repository.ts';
import { summarizeEvents } from './domain-events/event-summary.repository.ts';
import { listStoredEvents } from './domain-events/stored-event.repository.ts';
import { createEmails } from './emails/list-emails.ts';
import { createSenders } from './emails/mail-overview.repository.ts';
import { createBrowseHistory } from './history/action-history.repository.ts';
import { insertAuditEntry, listAuditEntries } from './history/audit-trail.repository.ts';
import { createIntentExecutor } from './intents/intent-executor.ts';
import { createRecordOutcomes, type RecordOutcomes } from './intents/record-outcomes.ts';
import { getPrecision } from './learning/precision.repository.ts';
import { createStoppedSuggestions } from './learning/stopped-suggestion.repository.ts';
import { createOwnMailboxes } from './mailboxes/own-mailboxes.ts';
import { createPushSubscriptions } from './notifications/push-subscriptions.repository.ts';
import { createProtections } from './protections/protect-sender.ts';
import { createRuleRuns } from './rule-runs/run-rules.ts';
import { createRules } from './rules/rules.ts';
import { createScans } from './scan/scans.ts';
import { createSteps, type WorkerPorts } from './steps.ts';
import { createListSuggestionGroups } from './suggestions/groups/suggestion-groups.repository.ts';
import { summarizeSuggestions } from './suggestions/groups/suggestion-summary.repository.ts';
import { createSuggestActions } from './suggestions/suggest-actions.ts';
import { getSurvey } from './survey/survey.repository.ts';
import { createUndo } from './undoing/undo-batch.ts';
import { createUnsubscribing } from './unsubscribing/unsubscribe-sender.ts';

/** What the product needs of the process that it runs in. */
export interface MailsweepPorts {
  database: Database;
  queue: Pick<QueueBackend, 'openQueue'>;
  mailboxAccess: {
    /** Encrypts what is stored of messages. */
    messageCipher: TextCipher;
    /** Encrypts everything else, notifications among it. */
    tokenCipher: TextCipher;
    /** For the keys that tell senders apart. */
    senderKey: KeyObject;
    revokeGrant: (userId: string) => Promise<void>;
  };
  openMailbox: OpenMailbox;
  mlClient: MlClient;
  /** Fewest suggestions of one request, scan or run of the watch that are worth an event. */
  publishThreshold: number;
  onEventRecorded: () => void;
  /** The public VAPID key; undefined where the operator has not set up push. */
  pushKey?: string | undefined;
  /** Whether the operator forwards notifications to a webhook. */
  webhookAvailable?: boolean;
  logger: Logger;
  nowMs?: () => number;
}

/**
 * The product: all that its processes do for users, by subject. Close it, as it recovers changes that dead processes have
 * left pending.
 *
 * @param parts - in place of the product's own, for tests
 */
export const createMailsweep = (
  ports: MailsweepPorts,
  parts: { recordOutcomes?: RecordOutcomes; recoveryIntervalMs?: number; cleanupStepSize?: number } = {},
) => {
  const { database, mailboxAccess } = ports;
  const { messageCipher, tokenCipher, senderKey, revokeGrant } = mailboxAccess;
  const cached = { ...ports, cipher: messageCipher, senderKey };
  const notifying = { ...ports, messageCipher, notificationCipher: tokenCipher };
  const intentExecutor = createIntentExecutor({
    recordOutcomes: createRecordOutcomes(notifying),
    ...ports,
    ...parts,
  });
  const acting = { ...cached, intentExecutor };
  /** A read that adds nothing to its query. */
  const reading =
    <Parameters extends unknown[], Result>(read: (database: Database, ...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result =>
      read(database, ...parameters);

  /** A use case that changes a mailbox or writes to senders. */
  const changing = <Parameters extends [userId: string, ...unknown[]], Result>(
    act: (...parameters: Parameters) => Promise<Result>,
    changes?: (parameters: NoInfer<Parameters>) => boolean,
  ) => requireCanChange(database, act, changes);

  const history = createBrowseHistory(cached);
  const { takeStep: takeUndoStep, ...undo } = createUndo({ ...acting, findBatch: history.findBatch });
  const cleanups = createCleanups({ ...cached, undoBatch: undo.batch });
  const rules = createRules(cached);
  const ruleRuns = createRuleRuns({
    ...cached,
    planCleanup: cleanups.plan,
    findRule: rules.find,
    undoBatch: undo.batch,
  });
  const unsubscribing = createUnsubscribing(cached);
  const { listStoredSuggestions, ...senders } = createSenders(cached);

  return {
    inbox: {
      ...createEmails(ports),
      act: changing(createExecuteInboxAction(acting)),
      getSurvey: reading(getSurvey),
    },
    suggestions: {
      suggest: createSuggestActions(ports),
      confirm: changing(createConfirmSuggestions(acting), ([, { action }]) => action === 'accept'),
      list: listStoredSuggestions,
      listGroups: createListSuggestionGroups(cached),
      summarize: reading(summarizeSuggestions),
    },
    learning: { ...createStoppedSuggestions(cached), getPrecision: reading(getPrecision) },
    senders,
    unsubscribing: { ...unsubscribing, request: changing(unsubscribing.request) },
    protections: createProtections(cached),
    scans: createScans(ports),
    cleanups: {
      ...cleanups,
      control: changing(cleanups.control, ([, , command]) => command === 'run' || command === 'resume'),
      undo: changing(cleanups.undo),
    },
    rules: { ...rules, ...ruleRuns, run: changing(ruleRuns.run), undo: changing(ruleRuns.undo) },
    undo: { actions: changing(undo.actions), batch: changing(undo.batch) },
    history: {
      ...history,
      listEvents: reading(listStoredEvents),
      summarizeEvents: reading(summarizeEvents),
      getActivity: reading(getActivity),
    },
    mailboxes: createOwnMailboxes(cached),
    preferences: createPreferences(ports),
    notifications: createPushSubscriptions({ ...ports, cipher: tokenCipher }),
    account: {
      exportData: (userId: string) => exportPersonalData(cached, userId),
      erase: createEraseUser({ ...ports, revokeGrant }),
      insertAuditEntry: reading(insertAuditEntry),
      listAuditEntries: reading(listAuditEntries),
      listOutgoingCalls: (userId: string) => listOutgoingCalls(cached, userId),
    },
    idempotency: createIdempotency(ports),
    /** The steps of due work, which a worker takes. */
    openSteps: (worker: WorkerPorts) =>
      createSteps({
        ...acting,
        ...notifying,
        takeUndoStep,
        cleanupStepSize: parts.cleanupStepSize,
        ...worker,
      }),
    /** Recovers pending changes of dead processes now. */
    recover: intentExecutor.recover,
    close: intentExecutor.close,
  };
};

export type Mailsweep = ReturnType<typeof createMailsweep>;
