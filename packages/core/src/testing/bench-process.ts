import type { KeyObject } from 'node:crypto';
import type {
  CreateCleanupRequest,
  LabelChange,
  ListCleanupEmailsQuery,
  ListEmailsQuery,
  ListStoredSuggestionsQuery,
  ListSuggestionGroupsQuery,
  Pagination,
  SenderGrouping,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { createGmailMailbox } from '@mailsweep/mail/gmail';
import { type AccessTokenSource, createInboxCounts } from '@mailsweep/mail/mailbox';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { type CallPriority, createMemoryQuotaStore, createQuotaGovernor } from '@mailsweep/mail/quota';
import type { createManualClock } from '@mailsweep/mail/quota/testing';
import type { MlClient } from '@mailsweep/ml-client';
import { createLogger } from '@mailsweep/service-kit';
import { openBenchRules } from './bench-rules.ts';
import { openTestMailsweep } from './test-mailsweep.ts';

/** Rounds come when a test asks for them, not by the clock; nothing times out. */
const NEVER_MS = 2 ** 31 - 1;
const MINUTE_MS = 60_000;
const NO_LIMIT = { unitsPerMinute: 1_000_000, interactiveReserve: 0 };

const NEVER = new AbortController().signal;
const WHOLE = { page: 1, perPage: 100 };

/** The real time that passes keeps instants apart. */
const startedAtMs = Date.now();

/** Suggests that every email be archived. */
const ARCHIVE_ALL: MlClient = {
  suggest: async (emails) =>
    new Map(
      emails.map(({ id }) => [id, [{ action: 'archive', classification: 'bulk', confidence_score: 0.9 }]]),
    ),
};

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
  priority?: CallPriority;
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
    priority: options.priority,
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
  const mailsweep = openTestMailsweep(
    { database, cipher, senderKey: keys.senders, openMailbox, mlClient: ARCHIVE_ALL, logger, nowMs },
    {
      ...(options.stepSize && { cleanupStepSize: options.stepSize }),
      ...(onDeath && {
        recordOutcomes() {
          onDeath();
          return new Promise<void>(() => undefined);
        },
      }),
    },
  );
  const { inbox, suggestions, learning, senders, protections, cleanups } = mailsweep;
  const steps = mailsweep.openTestSteps({
    openMeteredMailbox: () => ({ mailbox, unitsUsed: () => 0 }),
    openMessageStore: openStore,
  });
  const takeStep = (id: string) => steps.take('cleanup', { id, userId, leaseId: id }, NEVER);
  const requireCleanup = async (id: string) => {
    const cleanup = await cleanups.find(userId, id);
    if (cleanup === null) throw new Error('no such cleanup');
    return cleanup;
  };
  return {
    cleanups: {
      plan: (request: CreateCleanupRequest) => cleanups.plan(userId, request),
      find: requireCleanup,
      listEmails: (id: string, filter: Omit<ListCleanupEmailsQuery, keyof Pagination> = {}) =>
        cleanups.listEmails(userId, id, { ...WHOLE, ...filter }),
      control: (id: string, command: Parameters<typeof cleanups.control>[2]) =>
        cleanups.control(userId, id, command),
      takeStep,
      /** Takes steps as a worker does, to the end; waiting takes no time. */
      async work(id: string) {
        let outcome = await takeStep(id);
        for (let rounds = 1; outcome.kind !== 'over' && rounds < 100; rounds += 1) {
          if (outcome.kind === 'wait') clock.advance(outcome.waitMs);
          outcome = await takeStep(id);
        }
        return requireCleanup(id);
      },
    },
    scans: {
      start: async () => (await mailsweep.scans.start(userId, { scope: 'all' })).scan.id,
      cancel: (id: string) => mailsweep.scans.cancel(userId, id),
      takeStep: (id: string, stopping = NEVER) => steps.take('scan', { id, userId, leaseId: id }, stopping),
    },
    getSurvey: () => inbox.getSurvey(userId),
    mailbox,
    rules: openBenchRules({
      mailsweep,
      database,
      userId,
      cipher,
      senderKey: keys.senders,
      mailbox,
      logger,
      nowMs,
    }),
    protections: {
      list: () => protections.list(userId, WHOLE),
      protect: (senderId: string) => protections.protect(userId, senderId),
      protectByName: (name: string) => protections.protectByName(userId, name),
      unprotect: (senderId: string) => protections.unprotect(userId, senderId),
    },
    learning: {
      listStopped: () => learning.listStopped(userId, WHOLE),
      allow: (id: string) => learning.allow(userId, id),
      getPrecision: (by: 'week' | 'month') => learning.getPrecision(userId, { by }),
    },
    listSenders: (by?: SenderGrouping) => senders.list(userId, { ...WHOLE, sort: 'mails', by }),
    findSender: (senderId: string) => senders.find(userId, { senderId }),
    async listSenderEmails(senderId: string) {
      return (await senders.listEmails(userId, senderId, WHOLE)).data;
    },
    listStoredSuggestions: (query: Omit<ListStoredSuggestionsQuery, keyof Pagination>) =>
      suggestions.list(userId, { ...WHOLE, ...query }),
    listSuggestionGroups: (query: Omit<ListSuggestionGroupsQuery, keyof Pagination>) =>
      suggestions.listGroups(userId, { ...WHOLE, ...query }),
    recover: mailsweep.recover,
    list: (query: Partial<ListEmailsQuery>) =>
      inbox.list(userId, { scope: 'inbox', pageSize: 100, ...query }),
    act: (emailIds: string[], action: 'archive' | 'delete' | 'mark_unread') =>
      inbox.act(userId, { emailIds, action }),
    /** Puts a label on emails, in place of what is suggested. */
    label: (emailIds: string[], label = 'Own') =>
      suggestions.confirm(userId, { emailIds, action: 'accept', as: 'label', label }),
    confirm: (emailIds: string[], action: 'accept' | 'reject') =>
      suggestions.confirm(userId, { emailIds, action }),
    undo: (ids: string[]) => mailsweep.undo.actions(userId, ids),
    close: mailsweep.close,
  };
};
export type BenchProcess = ReturnType<typeof openBenchProcess>;
