import { EMAIL_CATEGORIES, type MailboxCapabilities } from '@mailsweep/contracts';
import { createGmailHttp, GMAIL_BASE_URL, type GmailSession } from '@mailsweep/mail/gmail/api';
import {
  type AccessTokenSource,
  createInboxCounts,
  type InboxCounts,
  type Mailbox,
} from '@mailsweep/mail/mailbox';
import type { MessageStore } from '@mailsweep/mail/message-cache';
import {
  type CallPriority,
  type Clock,
  createMemoryQuotaStore,
  createQuotaGovernor,
  DEFAULT_QUOTA_LIMITS,
  type QuotaGovernor,
  SYSTEM_CLOCK,
} from '@mailsweep/mail/quota';
import { type MessageCache, readChangesSince, readHistoryId } from './cache/catch-up.ts';
import { changeLabels } from './changes/change-labels.ts';
import { findChanges } from './changes/find-changes.ts';
import { checkChanges, readBaseline } from './changes/message-labels.ts';
import { findOrCreateLabels } from './changes/user-labels.ts';
import { countEmails, countInbox, countMailbox } from './reading/count-emails.ts';
import { listEmailIds } from './reading/lists/list-email-ids.ts';
import { findEmails, listEmails, readConversation } from './reading/lists/list-emails.ts';
import { createMessageReader } from './reading/read-messages.ts';

/** What Gmail can do. It empties the trash after 30 days (Gmail help, "Delete or recover deleted Gmail messages"). */
export const GMAIL_CAPABILITIES: MailboxCapabilities = {
  name: 'Gmail',
  categories: [...EMAIL_CATEGORIES],
  hasQuotaUnits: true,
  trashDays: 30,
  emailUrl: 'https://mail.google.com/mail/?authuser={address}#all/{emailId}',
};

const DEFAULT_CALL_TIMEOUT_MS = 10_000;
/** Google publishes no duration for 1,000 messages; a call cut off leaves open what it changed. */
const DEFAULT_BATCH_MODIFY_TIMEOUT_MS = 60_000;
const DEFAULT_RETRY_BUDGET_MS = 20_000;
/** Under its mask no message comes near; only a broken or hostile server does. */
const DEFAULT_MAX_RESPONSE_BYTES = 8 * 1024 * 1024;

export interface GmailMailboxOptions {
  /** Address of the Gmail API, Google's own by default; a path in it is preserved. */
  baseUrl?: string | undefined;
  /** Asked before every request, so it should respond from memory while the token lasts. */
  accessTokens: AccessTokenSource;
  /** The cache of this user's mailbox; without it every message is fetched each time. */
  store?: MessageStore | undefined;
  /** Told when the provider had forgotten its history, so that labels in the store are read again. */
  onRebuild?: (() => void) | undefined;
  /** Told when the store could not note what happened in the mailbox. */
  onStoreError?: ((error: unknown) => void) | undefined;
  /** Whose mailbox it is: the quota is counted by this. */
  userId?: string | undefined;
  /** Shared by all mailboxes of a process; one of its own with Gmail's newest limits by default. */
  governor?: QuotaGovernor | undefined;
  /** Shared by all mailboxes of a process; by default every count is requested again. */
  inboxCounts?: InboxCounts | undefined;
  /** Whether a user waits for the responses; `interactive` by default. */
  priority?: CallPriority | undefined;
  /** Ends calls of this mailbox before their time, with its reason. */
  signal?: AbortSignal | undefined;
  /** Whether the messages of a page are asked for in batches; true by default. */
  batchReads?: boolean | undefined;
  callTimeoutMs?: number | undefined;
  /** For a change of many messages at once, 60,000 by default. */
  batchModifyTimeoutMs?: number | undefined;
  /** How long errors may delay one call of a method before it gives up, in milliseconds. */
  retryBudgetMs?: number | undefined;
  /** Size at which a response is cut off, in bytes after decompression. */
  maxResponseBytes?: number | undefined;
  clock?: Clock | undefined;
  /** A number from 0 up to but not including 1; spreads retries. */
  random?: (() => number) | undefined;
}

/**
 * Creates the mailbox of one user at Gmail, over its REST API (v1). Transient errors are retried within the
 * retry budget; no retry starts after it, so a call that fails throughout ends at most one time-out later. It opens
 * nothing that needs closing.
 *
 * @throws {TypeError} when `baseUrl` is no URL
 */
export const createGmailMailbox = (options: GmailMailboxOptions): Mailbox => {
  const clock = options.clock ?? SYSTEM_CLOCK;
  const createOwnGovernor = () =>
    createQuotaGovernor({
      store: createMemoryQuotaStore({ ...DEFAULT_QUOTA_LIMITS, nowMs: clock.nowMs }),
      clock,
    });
  const userId = options.userId ?? '';
  const inboxCounts = options.inboxCounts ?? createInboxCounts({ reuseMs: 0, nowMs: clock.nowMs });
  const toReader = (session: GmailSession) => createMessageReader(session, cache, clock.nowMs);
  const http = createGmailHttp({
    baseUrl: options.baseUrl ?? GMAIL_BASE_URL,
    accessTokens: options.accessTokens,
    userId,
    governor: options.governor ?? createOwnGovernor(),
    priority: options.priority ?? 'interactive',
    signal: options.signal,
    batchReads: options.batchReads ?? true,
    callTimeoutMs: options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
    batchModifyTimeoutMs: options.batchModifyTimeoutMs ?? DEFAULT_BATCH_MODIFY_TIMEOUT_MS,
    retryBudgetMs: options.retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS,
    maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
    clock,
    random: options.random ?? Math.random,
  });
  const { store, onStoreError } = options;
  const cache: MessageCache | undefined = store && {
    store,
    isAwaited: options.priority !== 'background',
    withSession: http.withSession,
    onRebuild: () => options.onRebuild?.(),
    attempt: (note) => note(store).catch((error: unknown) => onStoreError?.(error)),
  };
  return {
    readCapabilities: async () => GMAIL_CAPABILITIES,
    listEmails: (query) => http.withSession((session) => listEmails(session, toReader(session), query)),
    countInbox: () => inboxCounts.get(userId, () => http.withSession(countInbox)),
    countMailbox: () => http.withSession(countMailbox),
    countEmails: (scope) => http.withSession((session) => countEmails(session, scope)),
    findEmails: (ids) => http.withSession((session) => findEmails(toReader(session), ids)),
    listEmailIds: (query, limit) =>
      http.withSession((session) => listEmailIds(session, toReader(session), query, limit)),
    readHistoryId: () => http.withSession(async (session) => String(await readHistoryId(session))),
    readChangesSince: (historyId) => http.withSession((session) => readChangesSince(session, historyId)),
    readConversation: (threadId) => http.withSession((session) => readConversation(session, threadId)),
    readBaseline: (ids) => http.withSession((session) => readBaseline(session, cache, ids)),
    changeLabels: (changes, historyId) =>
      http
        .withSession((session) => changeLabels(session, cache, changes, historyId))
        .finally(() => inboxCounts.forget(userId)),
    findChanges: (changes, historyId, ageMs) =>
      http.withSession((session) => findChanges(session, cache, changes, historyId, ageMs)),
    checkChanges: (changes) => http.withSession((session) => checkChanges(session, cache, changes)),
    findOrCreateLabels: (names, limits) =>
      http.withSession((session) => findOrCreateLabels(session, names, limits)),
  };
};
