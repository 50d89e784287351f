import type { KeyObject } from 'node:crypto';
import type {
  CreateCleanupRequest,
  LabelChange,
  ListCleanupEmailsQuery,
  ListEmailsQuery,
  ListStoredSuggestionsQuery,
  ListSuggestionGroupsQuery,
  Pagination,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { createGmailMailbox } from '@mailsweep/gmail-mailbox';
import { type AccessTokenSource, createInboxCounts } from '@mailsweep/mailbox';
import { createMemoryQuotaStore, createQuotaGovernor } from '@mailsweep/mailbox-quota';
import type { createManualClock } from '@mailsweep/mailbox-quota/testing';
import { createMessageStores } from '@mailsweep/message-cache';
import { createTokenCipher } from '@mailsweep/provider-connection';
import { createLogger } from '@mailsweep/service-kit';
import { actOnEmails } from '../acting/act-on-emails.ts';
import { createConfirmSuggestions } from '../acting/confirm-suggestions.ts';
import { createExecuteInboxAction } from '../acting/execute-inbox-action.ts';
import { findCleanup } from '../cleanups/cleanup.repository.ts';
import { createControlCleanup } from '../cleanups/control-cleanup.ts';
import { createListCleanupEmails } from '../cleanups/list-cleanup-emails.ts';
import { createPlanCleanup } from '../cleanups/plan-cleanup.ts';
import { createRunCleanup } from '../cleanups/running/run-cleanup.ts';
import { createMailboxLock } from '../concurrency/mailbox-lock.ts';
import { createListEmails } from '../emails/list-emails.ts';
import { createMailOverview } from '../emails/mail-overview.ts';
import { createIntentExecutor } from '../intents/intent-executor.ts';
import { createRecordOutcomes } from '../intents/record-outcomes.ts';
import { getPrecision } from '../learning/get-precision.ts';
import { createStoppedSuggestions } from '../learning/stopped-suggestions.ts';
import { createProtections } from '../protections/protect-sender.ts';
import { createListSuggestionGroups } from '../suggestions/groups/list-suggestion-groups.ts';
import { createUndoActions } from '../undoing/undo-actions.ts';
import { openBenchRules } from './bench-rules.ts';

/** Rounds come when a test asks for them, not by the clock; nothing times out. */
const NEVER_MS = 2 ** 31 - 1;
const MINUTE_MS = 60_000;
const NO_LIMIT = { unitsPerMinute: 1_000_000, interactiveReserve: 0 };

/** The real time that passes keeps instants apart. */
const startedAtMs = Date.now();

/** A row of the table ActionHistory, as far as tests read it. */
export interface HistoryRow {
  id: string;
  emailId: string;
  details: { gmailResponse: { status: string }; labelChange: LabelChange };
  undoneAt: Date | null;
}

/**
 * What one process of the product does for a user, over a database that it shares with others.
 *
 * @param options.onDeath - called when the process is about to record what happened; it never gets beyond that
 */
export const openBenchProcess = (options: {
  database: Database;
  userId: string;
  gmailUrl: string;
  accessTokens: AccessTokenSource;
  clock: ReturnType<typeof createManualClock>;
  keys: { cache: Buffer; senders: KeyObject };
  onRebuild?: () => void;
  onDeath?: (() => void) | undefined;
  /** Emails of one step of a cleanup. */
  stepSize?: number;
}) => {
  const { database, userId, clock, keys, onRebuild = () => undefined, onDeath } = options;
  const logger = createLogger({ service: 'test', level: 'silent' });
  const cipher = createTokenCipher({ current: keys.cache });
  const openStore = createMessageStores({
    database,
    cipher,
    senderKey: keys.senders,
  });
  const mailbox = createGmailMailbox({
    baseUrl: options.gmailUrl,
    accessTokens: options.accessTokens,
    store: openStore(userId),
    userId,
    inboxCounts: createInboxCounts({ reuseMs: MINUTE_MS, nowMs: clock.nowMs }),
    onRebuild,
    onStoreError: (error) => {
      throw error;
    },
    clock,
    callTimeoutMs: NEVER_MS,
    batchReads: false,
    governor: createQuotaGovernor({
      store: createMemoryQuotaStore({ ...NO_LIMIT, nowMs: clock.nowMs }),
      clock,
    }),
  });
  const openMailbox = () => mailbox;
  const nowMs = () => clock.nowMs() + Date.now() - startedAtMs;
  const recordOutcomes = onDeath
    ? () => {
        onDeath();
        return new Promise<void>(() => undefined);
      }
    : createRecordOutcomes({
        database,
        messageCipher: cipher,
        notificationCipher: cipher,
        nowMs,
        onEventRecorded: () => undefined,
      });
  const intentExecutor = createIntentExecutor({
    database,
    openMailbox,
    mailboxLock: createMailboxLock({ database, logger }),
    recordOutcomes,
    nowMs,
    logger,
    recoveryIntervalMs: NEVER_MS,
  });
  const listEmails = createListEmails({ openMailbox, nowMs });
  const executeInboxAction = createExecuteInboxAction({ database, openMailbox, intentExecutor });
  const confirmSuggestions = createConfirmSuggestions({ database, cipher, openMailbox, intentExecutor });
  const undoActions = createUndoActions({ database, openMailbox, intentExecutor });
  const planCleanup = createPlanCleanup({ database, cipher, openMailbox, nowMs });
  const controlCleanup = createControlCleanup({ database, nowMs });
  const runStep = createRunCleanup({
    database,
    cipher,
    openMailbox,
    intentExecutor,
    logger,
    stepSize: options.stepSize,
  });
  const overview = createMailOverview({ database, cipher });
  const listSuggestionGroups = createListSuggestionGroups({ database, cipher });
  const protections = createProtections({ database, cipher, senderKey: keys.senders });
  const stopped = createStoppedSuggestions({ database, cipher, nowMs });
  const requireCleanup = async (id: string) => {
    const cleanup = await findCleanup(database, userId, id);
    if (cleanup === null) throw new Error('no such cleanup');
    return cleanup;
  };
  return {
    cleanups: {
      plan: (request: CreateCleanupRequest) => planCleanup(userId, request),
      find: requireCleanup,
      listEmails: (id: string, filter: Omit<ListCleanupEmailsQuery, keyof Pagination> = {}) =>
        createListCleanupEmails({ database, cipher })(userId, id, { page: 1, perPage: 100, ...filter }),
      control: (id: string, command: Parameters<typeof controlCleanup>[2]) =>
        controlCleanup(userId, id, command),
      takeStep: (id: string) => runStep({ id, userId }),
      /** Takes steps as a worker does, to the end; waiting takes no time. */
      async work(id: string) {
        let outcome = await runStep({ id, userId });
        for (let rounds = 1; outcome.kind !== 'over' && rounds < 100; rounds += 1) {
          if (outcome.kind === 'wait') clock.advance(outcome.waitMs);
          outcome = await runStep({ id, userId });
        }
        return requireCleanup(id);
      },
    },
    mailbox,
    rules: openBenchRules({ database, userId, cipher, mailbox, planCleanup, undoActions, logger, nowMs }),
    protections: {
      list: () => protections.listProtections(userId, { page: 1, perPage: 100 }),
      protect: (senderId: string) => protections.protectSender(userId, senderId),
      protectByName: (name: string) => protections.protectByName(userId, name),
      unprotect: (senderId: string) => protections.unprotectSender(userId, senderId),
    },
    learning: {
      listStopped: () => stopped.listStoppedSuggestions(userId, { page: 1, perPage: 100 }),
      allow: (id: string) => stopped.allowSuggestion(userId, id),
      getPrecision: (by: 'week' | 'month') => getPrecision(database, userId, { by }),
    },
    findSender: (senderId: string) => overview.findSender(userId, { senderId }),
    async listSenderEmails(senderId: string) {
      return (await overview.listSenderEmails(userId, senderId, { page: 1, perPage: 100 })).data;
    },
    listStoredSuggestions: (query: Omit<ListStoredSuggestionsQuery, keyof Pagination>) =>
      overview.listStoredSuggestions(userId, { page: 1, perPage: 100, ...query }),
    listSuggestionGroups: (query: Omit<ListSuggestionGroupsQuery, keyof Pagination>) =>
      listSuggestionGroups(userId, { page: 1, perPage: 100, ...query }),
    recover: intentExecutor.recover,
    list: (query: Partial<ListEmailsQuery>) =>
      listEmails(userId, { scope: 'inbox', pageSize: 100, ...query }),
    act: (emailIds: string[], action: 'archive' | 'delete' | 'mark_unread') =>
      executeInboxAction(userId, { emailIds, action }),
    /** Puts a label on emails, as accepting a suggestion does. */
    label: (emailIds: string[], labelId: string) =>
      intentExecutor.withMailboxLease(userId, (leased) =>
        actOnEmails(openMailbox, leased, userId, {
          source: 'inbox',
          action: 'accept',
          requests: emailIds.map((emailId) => ({
            emailId,
            labelChange: { added: [labelId], removed: [] },
            status: 'ok' as const,
            note: '',
          })),
        }),
      ),
    confirm: (emailIds: string[], action: 'accept' | 'reject') =>
      confirmSuggestions(userId, { emailIds, action }),
    undo: (ids: string[]) => undoActions(userId, ids),
    close: () => intentExecutor.close(),
  };
};
export type BenchProcess = ReturnType<typeof openBenchProcess>;
