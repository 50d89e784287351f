import { createSecretKey, randomBytes } from 'node:crypto';
import { createTestDatabase } from '@mailsweep/database/testing';
import type { BehaviourChange } from '@mailsweep/google-sandbox';
import { startTestGmail, type TestMessage } from '@mailsweep/google-sandbox/testing/gmail';
import type { CallPriority } from '@mailsweep/mail/quota';
import { createManualClock } from '@mailsweep/mail/quota/testing';
import { type HistoryRow, openBenchProcess } from './bench-process.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';
/** Now, for mailboxes in tests. */
export const NOW_MS = Date.UTC(2026, 5, 15);
const MINUTE_MS = 60_000;

/** A label of the mailbox's owner. */
export const OWN_LABEL = 'Label_1';

/** By this a request is known to be of a process that is going to die. */
export const DYING_TOKEN = 'dying';

/** Messages `m0`, `m1`, … of the inbox, newest first. */
export const inboxMail = (count: number, fields: Partial<TestMessage> = {}): TestMessage[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `m${index}`,
    labels: ['INBOX', 'UNREAD'],
    receivedAtMs: NOW_MS - index * MINUTE_MS,
    text: `snippet of m${index}`,
    from: `Sender <sender${index % 7}@shop.example>`,
    ...fields,
  }));

/**
 * A user's mailbox at the Google sandbox, cached in a real database, and any number of processes that use it. Requests cost
 * what they cost at Gmail.
 */
export const openMailboxBench = async (mail: TestMessage[], behaviour: BehaviourChange = {}) => {
  const { database, query, drop } = await createTestDatabase();
  await query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', 'ada@example.com')`, [
    USER_ID,
  ]);
  const clock = createManualClock(NOW_MS);
  const gmail = await startTestGmail({
    messages: mail,
    labels: [{ id: OWN_LABEL, name: 'Own' }],
    behaviour,
    nowMs: clock.nowMs,
  });
  const keys = { cache: randomBytes(32), senders: createSecretKey(randomBytes(32)) };
  const closers: (() => Promise<void>)[] = [];
  let resyncs = 0;

  /** One more process. One with `onDeath` dies when it is about to record what happened, at the latest. */
  const openProcess = (
    options: { cacheKey?: Buffer; priority?: CallPriority; onDeath?: () => void } = {},
  ) => {
    const token = options.onDeath ? DYING_TOKEN : 'token';
    const opened = openBenchProcess({
      database,
      userId: USER_ID,
      gmailUrl: gmail.url,
      accessTokens: { current: async () => token, renew: async () => token },
      clock,
      keys: { ...keys, cache: options.cacheKey ?? keys.cache },
      onRebuild: () => {
        resyncs += 1;
      },
      onDeath: options.onDeath,
      ...(options.priority && { priority: options.priority }),
    });
    closers.push(opened.close);
    return opened;
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
      gmail.messages.find((message) => message.id === id)?.labels.toSorted(),
    /** Lets the leases of dead processes end, and with that two minutes pass. */
    expireLeases: async () => {
      clock.advance(2 * MINUTE_MS);
      await query('DELETE FROM "MailboxLease"');
      await query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
    },
    listHistory: () => query<HistoryRow>('SELECT * FROM "ActionHistory" ORDER BY "timestamp", "id"'),
    async close() {
      for (const close of closers) await close();
      await gmail.close();
      await drop();
    },
  };
};

export type MailboxBench = Awaited<ReturnType<typeof openMailboxBench>>;
