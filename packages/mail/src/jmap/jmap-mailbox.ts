import {
  type AccessTokenSource,
  createInboxCounts,
  type InboxCounts,
  type Mailbox,
} from '@mailsweep/mail/mailbox';
import type { StateStore } from '@mailsweep/mail/message-cache';
import { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
import { createMailboxCache } from './cache/mailbox-cache.ts';
import { type ServerFacts, toCapabilities } from './capabilities.ts';
import { changeLabels } from './changes/change-labels.ts';
import { checkChanges, findChanges, readBaseline, toUnsure } from './changes/find-changes.ts';
import { findOrCreateLabels } from './changes/user-labels.ts';
import { createJmapClient, type JmapClientOptions, type ServerAddress } from './protocol/jmap-client.ts';
import { createJmapConnections, type JmapConnections } from './protocol/jmap-connections.ts';
import { readEmailState } from './read-emails.ts';
import { countEmails, countInbox, countMailbox } from './reading/count-emails.ts';
import { listEmailIds, listEmails, readConversation, readWhole } from './reading/list-emails.ts';
import { readChangesSince } from './reading/read-changes-since.ts';

const DEFAULT_CALL_TIMEOUT_MS = 20_000;
/** A request that changes records responds after the last of them; one cut off leaves open what it changed. */
const DEFAULT_SET_TIMEOUT_MS = 60_000;
const DEFAULT_RETRY_BUDGET_MS = 20_000;
/** A thousand emails with their headers take 2 or 3 MB. */
const DEFAULT_MAX_RESPONSE_BYTES = 32 * 1024 * 1024;

export interface JmapMailboxOptions {
  server: ServerAddress;
  /** What is known of the server, for `toCapabilities`; nothing by default. */
  facts?: ServerFacts | undefined;
  /**
   * The name by which the mail server signs its own `Authentication-Results` (RFC 8601); without it no sender is
   * unsubscribed from by one click.
   */
  authservId?: string | undefined;
  /** Asked before every request, so it should respond from memory while the token lasts. */
  accessTokens: AccessTokenSource;
  connections?: JmapConnections | undefined;
  /** Whose mailbox it is: sessions and requests in flight are counted by this. */
  userId?: string | undefined;
  /** The cache of this user's mailbox; it is written alone: reading from the server is cheap. */
  store?: StateStore | undefined;
  /** Told when the store could not be brought up to date. */
  onStoreError?: ((error: unknown) => void) | undefined;
  /** Shared by all mailboxes of a process; without it nothing is remembered. */
  inboxCounts?: InboxCounts | undefined;
  signal?: AbortSignal | undefined;
  callTimeoutMs?: number | undefined;
  /** For a change of many emails at once, 60,000 by default. */
  setTimeoutMs?: number | undefined;
  /** How long errors may delay one call of a method before it gives up, in milliseconds. */
  retryBudgetMs?: number | undefined;
  /** Size at which a response is cut off, in bytes after decompression. */
  maxResponseBytes?: number | undefined;
  clock?: Clock | undefined;
  /** A number from 0 up to but not including 1; spreads retries. */
  random?: (() => number) | undefined;
}

/** The way to the server, with what options leave out. */
export const toClientOptions = (options: JmapMailboxOptions): JmapClientOptions => ({
  server: options.server,
  accessTokens: options.accessTokens,
  connection: (options.connections ?? createJmapConnections()).of(options.userId ?? ''),
  signal: options.signal,
  callTimeoutMs: options.callTimeoutMs ?? DEFAULT_CALL_TIMEOUT_MS,
  setTimeoutMs: options.setTimeoutMs ?? DEFAULT_SET_TIMEOUT_MS,
  retryBudgetMs: options.retryBudgetMs ?? DEFAULT_RETRY_BUDGET_MS,
  maxResponseBytes: options.maxResponseBytes ?? DEFAULT_MAX_RESPONSE_BYTES,
  clock: options.clock ?? SYSTEM_CLOCK,
  random: options.random ?? Math.random,
});

/**
 * Creates the mailbox of one user at a JMAP server (RFC 8620, 8621). A point of its history is a state of the emails. It
 * opens nothing that needs closing.
 */
export const createJmapMailbox = (options: JmapMailboxOptions): Mailbox => {
  const client = toClientOptions(options);
  const userId = options.userId ?? '';
  const capabilities = toCapabilities(options.facts ?? { name: 'JMAP' });
  const inboxCounts = options.inboxCounts ?? createInboxCounts({ reuseMs: 0, nowMs: client.clock.nowMs });
  const { withSession } = createJmapClient(client);
  const cache = createMailboxCache(options.store, withSession, (error) => options.onStoreError?.(error));
  const reading = { cache, authservId: options.authservId?.toLowerCase() };
  return {
    readCapabilities: async () => capabilities,
    listEmails: (query) => withSession((session) => listEmails(session, reading, query)),
    countEmails: (scope) => withSession((session) => countEmails(session, scope)),
    countInbox: () => inboxCounts.get(userId, () => withSession(countInbox)),
    countMailbox: () => withSession(countMailbox),
    findEmails: (ids) => withSession((session) => readWhole(session, reading, ids)),
    listEmailIds: (query, limit) => withSession((session) => listEmailIds(session, query, limit)),
    readHistoryId: () => withSession(readEmailState),
    readChangesSince: (historyId, labelsBefore) =>
      withSession((session) => readChangesSince(session, historyId, labelsBefore)),
    readConversation: (threadId) => withSession((session) => readConversation(session, reading, threadId)),
    readBaseline: (ids) => withSession((session) => readBaseline(session, ids)),
    changeLabels: (changes, historyId) =>
      withSession((session) => changeLabels(session, cache, changes, historyId)).finally(() =>
        inboxCounts.forget(userId),
      ),
    findChanges: (changes, _historyId, ageMs) =>
      withSession(async (session) => {
        const outcomes = await findChanges(session, changes, ageMs);
        await cache.catchUp();
        return outcomes;
      }).catch((error: unknown) => toUnsure(changes, error)),
    checkChanges: (changes) =>
      withSession(async (session) => {
        await cache.catchUp();
        return await checkChanges(session, changes);
      }),
    findOrCreateLabels: (names, limits) =>
      withSession((session) => findOrCreateLabels(session, names, limits)),
  };
};
