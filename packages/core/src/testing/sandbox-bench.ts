import { createSecretKey, randomBytes } from 'node:crypto';
import type { LabelChange, Suggestion } from '@mailsweep/contracts';
import { createTestDatabase } from '@mailsweep/database/testing';
import type { BehaviourChange, SeedMessage } from '@mailsweep/google-sandbox';
import { openUnlimitedSandbox, TEST_USER as USER } from '@mailsweep/google-sandbox/testing/gmail';
import { createManualClock } from '@mailsweep/mail/quota/testing';
import { listenOnLoopback } from '@mailsweep/service-kit';
import { saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { type HistoryRow, openBenchProcess } from './bench-process.ts';

const USER_ID = '019a0000-0000-7000-8000-000000000001';
const NOW_MS = Date.UTC(2026, 5, 15);
const MINUTE_MS = 60_000;

/** A label of the mailbox's owner. */
export const OWN_LABEL = 'Label_1';

/** A message that came so many minutes ago. */
export const seedMessage = (id: string, minutesAgo: number, labels: string[]): SeedMessage => ({
  id,
  threadId: `thread-${id}`,
  from: `Sender <sender${minutesAgo % 7}@shop.example>`,
  to: USER.email,
  subject: `Subject of ${id}`,
  text: 'Hello',
  labels,
  receivedAtMs: NOW_MS - minutesAgo * MINUTE_MS,
  bodySizeBytes: 2_048,
  attachments: [],
});

/** What another client does to messages. */
export interface ChangeElsewhere extends LabelChange {
  ids: string[];
  /** How long its history records stay invisible, in milliseconds. */
  delayMs: number;
  /** Whether its history records are never shown. */
  isLost: boolean;
}

/**
 * A user's mailbox at the Google sandbox, cached in a real database, and any number of processes that use it. Time is a
 * clock that tests move.
 */
export const openSandboxBench = async (messages: SeedMessage[], behaviour: BehaviourChange) => {
  const { database, query, drop } = await createTestDatabase();
  await query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', $2)`, [
    USER_ID,
    USER.email,
  ]);
  const clock = createManualClock(NOW_MS);
  const sandbox = openUnlimitedSandbox({
    labels: [{ id: OWN_LABEL, name: 'Own' }],
    messages,
    behaviour,
    nowMs: clock.nowMs,
  });
  const server = await listenOnLoopback(sandbox.app, 0);

  const send = async (method: string, path: string, body?: object) => {
    const response = await fetch(server.url + path, {
      method,
      headers: { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response;
  };
  const changeBehaviour = (change: BehaviourChange) => send('PATCH', '/sandbox/behaviour', change);
  /** Loses the records of the next call that changes messages. */
  const loseNextRecords = () =>
    send('POST', '/sandbox/faults', { kind: 'lose_history_records', method: 'POST', records: 1_000 });

  /** Refuses all further calls that change messages. */
  const refuseChanges = () =>
    send('POST', '/sandbox/faults', { kind: 'rate_limited_429', method: 'POST', times: 1_000 });

  /** Where nothing was changed, the next call would lose its records instead. */
  const loseNoRecords = () => send('DELETE', '/sandbox/faults');

  let beforeRequest: () => Promise<void> = async () => undefined;
  const keys = { cache: randomBytes(32), senders: createSecretKey(randomBytes(32)) };
  const closers: (() => Promise<void>)[] = [];

  const openProcess = (more: { onDeath?: () => void; stepSize?: number } = {}) => {
    const current = async () => {
      await beforeRequest();
      return sandbox.token;
    };
    const opened = openBenchProcess({
      database,
      userId: USER_ID,
      gmailUrl: server.url,
      accessTokens: { current, renew: current },
      clock,
      keys,
      ...more,
    });
    closers.push(opened.close);
    return opened;
  };

  return {
    userId: USER_ID,
    database,
    clock,
    query,
    /** Lets time pass, also for the cache, which goes by the clock of the database. */
    async letTimePass(ms: number) {
      clock.advance(ms);
      await query(
        `UPDATE "MailboxSync" SET "syncedAt" = "syncedAt" - $1 * interval '1 ms',
          "nextOverlapAt" = "nextOverlapAt" - $1 * interval '1 ms'`,
        [ms],
      );
    },
    /** Has the next calls that fit go wrong, in the words of the sandbox. */
    orderFault: (fault: object) => send('POST', '/sandbox/faults', fault),
    /** Quota units that were taken so far. */
    async readUnits(): Promise<number> {
      const response = await fetch(`${server.url}/sandbox/quota`);
      return ((await response.json()) as { units: number }).units;
    },
    loseNextRecords,
    loseNoRecords,
    refuseChanges,
    changeBehaviour,
    /** Has something happen before each request that the processes send. */
    onRequest(happen: () => Promise<void>) {
      beforeRequest = happen;
    },
    openProcess,
    async changeElsewhere({ ids, added, removed, delayMs, isLost }: ChangeElsewhere) {
      await changeBehaviour({ historyDelayMs: delayMs });
      if (isLost) await loseNextRecords();
      await send('POST', '/gmail/v1/users/me/messages/batchModify', {
        ids,
        addLabelIds: added,
        removeLabelIds: removed,
      });
      await loseNoRecords();
      await changeBehaviour({ historyDelayMs: behaviour.historyDelayMs ?? 0 });
    },
    /** Snoozes or schedules messages, which no label tells. */
    setAside: (messages: Record<string, 'snoozed' | 'scheduled' | null>) =>
      send('PATCH', '/sandbox/set-aside', messages),
    /** The labels that messages really have, whatever the history shows of that. */
    readLabels: (): Map<string, string[]> =>
      new Map(
        sandbox
          .readMailboxes()
          .flatMap((mailbox) => mailbox.messages.map(({ id, labels }) => [id, labels.toSorted()])),
      ),
    /** Caches messages, also those that no list shows. */
    cacheMessages: (ids: string[]) => openProcess().mailbox.findEmails(ids),
    storeSuggestions: (ids: string[], action: Suggestion['action']) =>
      saveSuggestions(
        database,
        USER_ID,
        ids.map((id) => ({ id, suggestions: [{ action, classification: 'bulk', confidence_score: 0.9 }] })),
        new Date(clock.nowMs()),
      ),
    /** Stores these suggestions, best first, for emails by id. */
    storeSuggestionsOf: (suggestions: Record<string, Suggestion[]>) =>
      saveSuggestions(
        database,
        USER_ID,
        Object.entries(suggestions).map(([id, list]) => ({ id, suggestions: list })),
        new Date(clock.nowMs()),
      ),
    /** The labels that are cached of messages. */
    async readCachedLabels(): Promise<Map<string, string[]>> {
      const rows = await query<{ emailId: string; labels: string[] }>(
        'SELECT "emailId", "labels" FROM "CachedMessage"',
      );
      return new Map(rows.map(({ emailId, labels }) => [emailId, labels.toSorted()]));
    },
    /** The emails with pending changes. */
    async listPending(): Promise<Set<string>> {
      const rows = await query<{ emailId: string }>(
        `SELECT item->>'emailId' AS "emailId" FROM "ActionIntent", jsonb_array_elements("plan"->'items') AS item`,
      );
      return new Set(rows.map(({ emailId }) => emailId));
    },
    async expireLeases() {
      await query(`UPDATE "ActionIntent" SET "leasedUntil" = now() - interval '1 s'`);
      await query(`UPDATE "MailboxLease" SET "leasedUntil" = now() - interval '1 s'`);
    },
    /** Has a message arrive that the user sent in a conversation, as from another client. */
    sendInConversation: (threadId: string) =>
      send('POST', '/gmail/v1/users/me/messages', {
        raw: Buffer.from(`From: ${USER.email}\r\nTo: bob@example.com\r\nSubject: Re\r\n\r\nHi`).toString(
          'base64url',
        ),
        labelIds: ['SENT'],
        threadId,
      }),
    /** An email arrives; returns its id. */
    async deliver(subject: string, labelIds = ['INBOX'], header = 'X-Mailer: Test'): Promise<string> {
      const response = await send('POST', '/gmail/v1/users/me/messages', {
        raw: Buffer.from(
          `From: New <new@shop.example>\r\nTo: ${USER.email}\r\nSubject: ${subject}\r\n${header}\r\n\r\nHi`,
        ).toString('base64url'),
        labelIds,
      });
      return ((await response.json()) as { id: string }).id;
    },
    listHistory: () => query<HistoryRow>('SELECT * FROM "ActionHistory" ORDER BY "timestamp", "id"'),
    async close() {
      for (const close of closers) await close();
      await server.close();
      await drop();
    },
  };
};
export type SandboxBench = Awaited<ReturnType<typeof openSandboxBench>>;
