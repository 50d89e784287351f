import { createSecretKey, randomBytes } from 'node:crypto';
import type { ListEmailsQuery } from '@mailsweep/contracts';
import { createTestDatabase } from '@mailsweep/database/testing';
import {
  createGmailMailbox,
  createInboxCounts,
  createMemoryQuotaStore,
  createQuotaGovernor,
} from '@mailsweep/mailbox';
import {
  createManualClock,
  type FakeGmail,
  type FakeGmailContent,
  type FakeMessage,
  startFakeGmail,
} from '@mailsweep/mailbox/testing';
import { createTokenCipher } from '@mailsweep/provider-connection';
import { createLogger } from '@mailsweep/service-kit';
import { createExecuteInboxAction } from '../execute-inbox-action.ts';
import { createListEmails } from '../list-emails.ts';
import { createMailboxLock } from '../mailbox-lock.ts';
import { createMessageStores } from '../message-cache.repository.ts';
import { createPlanExecutor } from '../plan-executor.ts';
import { createRecordSettlement } from '../record-settlement.ts';
import { createUndoActions } from '../undo-actions.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';
/** Now, for mailboxes in tests. */
export const NOW_MS = Date.UTC(2026, 5, 15);
const MINUTE_MS = 60_000;
/** Rounds come when a test asks for them, not by the clock; nothing times out. */
const NEVER_MS = 2 ** 31 - 1;
const NO_LIMIT = { unitsPerMinute: 1_000_000, interactiveReserve: 0 };

/** By this a request is known to be of a process that is going to die. */
export const DOOMED_TOKEN = 'doomed';

/** Messages `m0`, `m1`, … of the inbox, newest first. */
export const inboxMail = (count: number, fields: Partial<FakeMessage> = {}): FakeMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    labelIds: ['INBOX', 'UNREAD'],
    internalDate: String(NOW_MS - index * MINUTE_MS),
    snippet: `snippet of m${index}`,
    payload: {
      headers: [
        { name: 'From', value: `Sender <sender${index % 7}@shop.example>` },
        { name: 'Subject', value: `Subject of m${index}` },
      ],
    },
    ...fields,
  }));

/**
 * A person's mailbox at a fake Gmail, kept in a real database, and any number of processes that use it. Requests cost
 * what they cost at Gmail.
 */
export const openMailboxBench = async (
  mail: FakeMessage[],
  behaviour: NonNullable<FakeGmailContent['behaviour']> = {},
) => {
  const { database, query, drop } = await createTestDatabase();
  await query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', 'ada@example.com')`, [
    USER_ID,
  ]);
  const clock = createManualClock(NOW_MS);
  const gmail: FakeGmail = await startFakeGmail({
    messages: mail,
    behaviour,
    nowMs: clock.nowMs,
  });
  const keys = { cache: randomBytes(32), senders: createSecretKey(randomBytes(32)) };
  const logger = createLogger({ service: 'test', level: 'silent' });
  const closers: (() => Promise<void>)[] = [];
  let resyncs = 0;

  /** One more process. One with `onDeath` dies when it is about to record what happened, at the latest. */
  const openProcess = (options: { cacheKey?: Buffer; onDeath?: () => void } = {}) => {
    const { onDeath } = options;
    const token = onDeath ? DOOMED_TOKEN : 'token';
    const openStore = createMessageStores({
      database,
      cipher: createTokenCipher({ current: options.cacheKey ?? keys.cache }),
      senderKey: keys.senders,
    });
    const mailbox = createGmailMailbox({
      baseUrl: gmail.url,
      accessTokens: { current: async () => token, renew: async () => token },
      store: openStore(USER_ID),
      userId: USER_ID,
      inboxCounts: createInboxCounts({ reuseMs: MINUTE_MS, nowMs: clock.nowMs }),
      onResync: () => {
        resyncs += 1;
      },
      onStoreFault: (error) => {
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
    const dateClock = () => new Date();
    const recordSettlement = onDeath
      ? () => {
          onDeath();
          return new Promise<void>(() => undefined);
        }
      : createRecordSettlement({ database, clock: dateClock, onEventRecorded: () => undefined });
    const planExecutor = createPlanExecutor({
      database,
      openMailbox,
      mailboxLock: createMailboxLock({ database, logger }),
      recordSettlement,
      clock: dateClock,
      logger,
      settleIntervalMs: NEVER_MS,
    });
    closers.push(() => planExecutor.close());
    const listEmails = createListEmails({ openMailbox, clock: () => new Date(clock.nowMs()) });
    const executeInboxAction = createExecuteInboxAction({ openMailbox, planExecutor });
    const undoActions = createUndoActions({ database, openMailbox, planExecutor });
    return {
      mailbox,
      settle: planExecutor.settle,
      list: (query: Partial<ListEmailsQuery>) =>
        listEmails(USER_ID, { scope: 'inbox', pageSize: 100, ...query }),
      act: (emailIds: string[], action: 'archive' | 'delete' | 'mark_unread') =>
        executeInboxAction(USER_ID, { emailIds, action }),
      undo: (ids: string[]) => undoActions(USER_ID, ids),
    };
  };

  return {
    gmail,
    /** The providers' and the mailboxes' time; waits take none of the real one. */
    clock,
    database,
    query,
    openProcess,
    countResyncs: () => resyncs,
    /** What is asked of the mailbox during some work: requests and units. */
    async measure<T>(work: () => Promise<T>) {
      const [requestsBefore, unitsBefore] = [gmail.requests.length, gmail.units()];
      const result = await work();
      const requests = gmail.requests.slice(requestsBefore);
      const gets = requests.filter(({ path }) => /\/messages\/[^/]+$/.test(path));
      return {
        result,
        units: gmail.units() - unitsBefore,
        gets: gets.filter(({ method }) => method === 'GET').length,
      };
    },
    labelsOf: (id: string): string[] | undefined =>
      gmail.messages.find((message) => message.id === id)?.labelIds.toSorted(),
    expireLeases: async () => {
      await query('DELETE FROM "MailboxLease"');
      await query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
    },
    listHistory: () =>
      query<{
        id: string;
        emailId: string;
        details: {
          gmailResponse: { status: string };
          labelChange: { added: string[]; removed: string[] };
        };
        undoneAt: Date | null;
      }>('SELECT * FROM "ActionHistory" ORDER BY "timestamp", "id"'),
    async close() {
      for (const close of closers) await close();
      await gmail.close();
      await drop();
    },
  };
};

export type MailboxBench = Awaited<ReturnType<typeof openMailboxBench>>;
export type BenchProcess = ReturnType<MailboxBench['openProcess']>;
