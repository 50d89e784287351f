import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openTestMailsweep } from '@mailsweep/core/testing';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { createMessageStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher, deriveMessageKeys } from '@mailsweep/mail/provider-connection';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { startListServer } from '../testing/list-server.ts';
import { PUSH_CERTIFICATE } from '../testing/push-certificate.ts';
import { createVapidConfig, startPushService } from '../testing/push-service.ts';
import {
  insertConnectedUser,
  insertWatchedMailbox,
  startClassification,
  startWorkerProcess,
} from '../testing/worker-process.ts';

/** The leases of a dead process end, and what it did is recovered, long before. */
const TAKE_OVER_MS = 90_000;
const NEW_EMAILS = 3;

/** Work that is due, and whose first worker is killed. */
interface Work {
  /** What workers need to do it. */
  env?: Record<string, string>;
  /** Makes it due, where it is not yet. */
  begin?: () => Promise<void>;
  /** What the killed worker has left. */
  expectUnfinished: () => Promise<void>;
  /** Ends the leases of the killed worker; without it, they are waited for. */
  release?: string;
  /** What becomes `done` in the end. */
  readProgress: () => Promise<unknown>;
  done: unknown;
  /** Nothing was done twice, and nothing is missing. */
  expectDoneOnce: () => Promise<void>;
}

/** Each kind of work, and the moment at which it calls `kill`. */
const KINDS: Record<string, (kill: () => void) => Promise<Work>> = {
  'a cleanup, in the middle of its changes': async (kill) => {
    const count = 2_300;
    const planned = Array.from({ length: count }, (_, index) => ({ id: `m${index}`, labels: ['INBOX'] }));
    await openGmail([...planned, { id: 'not-planned', labels: ['INBOX'] }]);
    killAtSecondChange(kill);
    const [id, batchId] = [randomUUID(), randomUUID()];
    const read = () => db.database.cleanup.findUniqueOrThrow({ where: { id } });
    return {
      async begin() {
        const historyId = await readHistoryId();
        await db.database.cleanup.create({
          data: {
            id,
            userId,
            batchId,
            action: 'archive',
            selection: { type: 'filter', scope: 'inbox', except: [] },
            state: 'queued',
            total: count,
            isComplete: true,
            sizeBytes: 0,
            sizeKnown: 0,
            historyId,
            overlapHistoryId: historyId,
            expiresAt: new Date(Date.now() + 3_600_000),
          },
        });
        await db.query(
          `INSERT INTO "CleanupEmail" ("id", "userId", "cleanupId", "emailId")
           SELECT gen_random_uuid(), $1, $2, 'm' || n FROM generate_series(0, $3::int - 1) AS n`,
          [userId, id, count],
        );
      },
      expectUnfinished: async () => expect((await read()).changed).toBeLessThan(count),
      readProgress: async () => (await read()).state,
      done: 'completed',
      async expectDoneOnce() {
        expect(await read()).toMatchObject({ changed: count, unchanged: 0, skipped: 0, failed: 0 });
        const records = await db.database.actionHistory.findMany({
          select: { id: true, emailId: true, batchId: true },
        });
        const rows = await db.database.cleanupEmail.findMany({ select: { id: true, emailId: true } });
        const byId = (one: { id: string }, other: { id: string }) => (one.id < other.id ? -1 : 1);
        expect(records.toSorted(byId)).toEqual(rows.map((row) => ({ ...row, batchId })).toSorted(byId));
        expect(listMoved()).toEqual(planned.map((message) => message.id).toSorted());
        const left = gmail.messages.filter(({ labels }) => labels.includes('INBOX'));
        expect(left.map((message) => message.id)).toEqual(['not-planned']);
      },
    };
  },

  'the undo of a batch, in the middle of its changes': async (kill) => {
    const count = 3_000;
    const messages = Array.from({ length: count }, (_, index) => ({
      id: `m${index}`,
      labels: ['CATEGORY_SOCIAL'],
    }));
    await openGmail(messages);
    killAtSecondChange(kill);
    const id = randomUUID();
    const read = () => db.database.actionBatch.findUniqueOrThrow({ where: { id } });
    return {
      async begin() {
        await db.query(
          `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "batchId")
           SELECT gen_random_uuid(), $1, 'm' || n, 'archive', now(),
             '{"source":"inbox","gmailResponse":{"status":"ok"},"note":"","labelChange":{"added":[],"removed":["INBOX"]}}', $2
           FROM generate_series(0, $3::int - 1) AS n`,
          [userId, id, count],
        );
        const batch = { id, userId, source: 'inbox', action: 'archive', startedAt: new Date(), total: count };
        await db.database.actionBatch.create({ data: { ...batch, undoState: 'running' } });
      },
      expectUnfinished: async () => expect((await read()).undone).toBeLessThan(count),
      readProgress: async () => (await read()).undoState,
      done: 'done',
      async expectDoneOnce() {
        expect(await read()).toMatchObject({ total: count, undone: count, undoFailed: 0 });
        expect(await db.query('SELECT FROM "ActionHistory" WHERE "undoneAt" IS NULL')).toEqual([]);
        expect(gmail.messages.filter(({ labels }) => !labels.includes('INBOX'))).toEqual([]);
        expect(listMoved()).toEqual(messages.map((message) => message.id).toSorted());
      },
    };
  },

  'a check of the mailbox, while its new email is classified': async (kill) => {
    await openGmail([{ id: 'old' }]);
    const { historyId, newEmails } = await insertWatchedMailbox(db, gmail, { userId, newEmails: NEW_EMAILS });
    const classification = await startClassification(kill);
    const asked = () => classification.calls.map(({ items }) => items.map(({ id }) => id).toSorted());
    const read = () => db.database.mailboxWatch.findUniqueOrThrow({ where: { userId } });
    return {
      env: { ML_BASE_URL: classification.url },
      async expectUnfinished() {
        expect(asked()).toEqual([newEmails]);
        expect(await read()).toMatchObject({ historyId, newEmails: 0 });
        expect(await db.database.emailSuggestion.count()).toBe(0);
        classification.behave(suggest('archive'));
      },
      release: `UPDATE "MailboxWatch" SET "leasedUntil" = now()`,
      readProgress: async () => (await read()).newEmails,
      done: NEW_EMAILS,
      async expectDoneOnce() {
        expect(asked()).toEqual([newEmails]);
        const stored = await db.database.emailSuggestion.findMany({ orderBy: { emailId: 'asc' } });
        expect(stored.map(({ emailId }) => emailId)).toEqual(newEmails);
        expect(await read()).toMatchObject({ state: 'active', failures: 0, leaseId: null });
      },
    };
  },

  'a rule, while its cleanup is planned': async (kill) => {
    await openGmail([{ id: 'old', labels: ['INBOX', 'UNREAD'] }]);
    const { historyId, newEmails } = await insertWatchedMailbox(db, gmail, { userId, newEmails: NEW_EMAILS });
    await db.database.mailboxSync.create({ data: { userId, historyId } });
    const [ruleId, dueAt] = [randomUUID(), new Date(Date.now() - 1_000)];
    await db.database.rule.create({
      data: {
        id: ruleId,
        userId,
        classifications: ['bulk'],
        minConfidence: 0.8,
        olderThan: 0,
        action: 'mark_read',
        enabled: true,
        dueAt,
      },
    });
    gmail.intercept(({ query }) => {
      // Planning lists the conversations in which the user has written.
      if (query.getAll('labelIds').includes('SENT')) kill();
      return undefined;
    });
    const read = () => db.database.rule.findUniqueOrThrow({ where: { id: ruleId } });
    return {
      env: { ML_BASE_URL: (await startClassification(suggest('archive'))).url },
      async expectUnfinished() {
        expect(await db.database.cleanup.count()).toBe(0);
        expect(await db.database.emailSuggestion.count()).toBe(NEW_EMAILS);
        expect(await read()).toMatchObject({ dueAt, checkedAt: null, runs: 0 });
        gmail.intercept(() => undefined);
      },
      release: `UPDATE "MailboxWatch" SET "dueAt" = now(), "leasedUntil" = NULL`,
      readProgress: async () => (await db.database.cleanup.findFirst())?.state,
      done: 'completed',
      async expectDoneOnce() {
        const cleanups = await db.database.cleanup.findMany();
        expect(cleanups).toMatchObject([{ ruleId, changed: NEW_EMAILS }]);
        expect(await read()).toMatchObject({ runs: 1, lastCleanupId: cleanups[0]?.id });
        expect((await read()).dueAt?.getTime()).toBeGreaterThan(Date.now());
        const records = await db.database.actionHistory.findMany({ orderBy: { emailId: 'asc' } });
        expect(records.map(({ emailId }) => emailId)).toEqual(newEmails);
        const source = { source: 'rule', ruleId };
        expect(records.map(({ details }) => details)).toMatchObject(newEmails.map(() => source));
        const left = gmail.messages.filter(({ labels }) => labels.includes('UNREAD'));
        expect(left.map(({ id }) => id)).toEqual(['old']);
      },
    };
  },

  'a request to unsubscribe, after its call': async (kill) => {
    await openGmail();
    const server = await startListServer(['localhost'], (response, number) => {
      if (number === 1) kill();
      else response.end();
    });
    await unsubscribe(`https://localhost:${server.port}/off?token=secret`);
    return {
      env: { ALLOW_PRIVATE_ADDRESSES: 'webhook,unsubscribe', NODE_EXTRA_CA_CERTS: server.certPath },
      async expectUnfinished() {
        expect(await readUnsubscribe()).toMatchObject({ state: 'requested', attempts: 0 });
        expect(server.requests).toHaveLength(1);
      },
      release: `UPDATE "Unsubscribe" SET "leasedUntil" = now()`,
      readProgress: async () => (await readUnsubscribe()).state,
      done: 'accepted',
      // The call may have reached the sender or not: it is repeated, and only that once.
      expectDoneOnce: async () =>
        expect(server.requests.map(({ body, path }) => ({ body, path }))).toEqual(
          Array.from({ length: 2 }, () => ({
            body: 'List-Unsubscribe=One-Click',
            path: '/off?token=secret',
          })),
        ),
    };
  },

  'a notification, while it is sent to the browser': async (kill) => {
    const count = 2;
    await openGmail([{ id: 'old' }]);
    const folder = await mkdtemp(join(tmpdir(), 'push-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    await writeFile(join(folder, 'push.pem'), PUSH_CERTIFICATE);
    const vapid = createVapidConfig();
    const pushService = await startPushService(vapid);
    onTestFinished(() => pushService.close());
    const { newEmails } = await insertWatchedMailbox(db, gmail, {
      userId,
      newEmails: count,
      preferences: { notifications: { alert: { push: true } } },
    });
    const session = { id: randomUUID(), userId };
    await db.database.session.create({ data: { ...session, expiresAt: new Date(Date.now() + 3_600_000) } });
    await openTestMailsweep({
      database: db.database,
      cipher: createTokenCipher({ current: Buffer.alloc(32, 1) }),
      pushKey: vapid.publicKey,
    }).notifications.subscribe(session, pushService.subscribe('laptop'), null);
    pushService.onMessage(kill);
    const tags = () => new Set(pushService.received.map(({ message }) => message.tag));
    const countIn = (state: string) => db.database.notification.count({ where: { state } });
    return {
      env: {
        ML_BASE_URL: (await startClassification(suggest('notify'))).url,
        VAPID_PUBLIC_KEY: vapid.publicKey,
        VAPID_PRIVATE_KEY: vapid.privateKey,
        VAPID_SUBJECT: vapid.subject,
        ALLOW_PRIVATE_ADDRESSES: 'webhook,push',
        NODE_EXTRA_CA_CERTS: join(folder, 'push.pem'),
      },
      async expectUnfinished() {
        expect(tags().size).toBeGreaterThanOrEqual(1);
        expect(await countIn('pending')).toBe(count);
        pushService.onMessage((response) => response.writeHead(201).end());
      },
      release: `UPDATE "Notification" SET "leasedUntil" = now()`,
      readProgress: () => countIn('sent'),
      done: count,
      async expectDoneOnce() {
        // A repeated message took the place of the first one: the browser shows one for each email.
        const shown = pushService.shown('laptop').map(({ path }) => path);
        expect(shown.toSorted()).toEqual(newEmails.map((id) => `/inbox?email=${id}`));
        expect(tags().size).toBe(count);
        // Only what was in flight at the kill was sent again.
        expect(pushService.received.length).toBeLessThanOrEqual(count + 1);
      },
    };
  },
};

test.each(Object.keys(KINDS))(
  'R27: %s: when its worker is killed, others finish it, nothing twice and nothing missed',
  async (name) => {
    let kill = (): void => undefined;
    const work = await KINDS[name]?.(() => kill());
    if (work === undefined) throw new Error('there is no such work');
    const startWorker = () => startWorkerProcess(db, gmail.url, work.env);
    const first = await startWorker();
    kill = () => void first.kill('SIGKILL');
    const exited = once(first, 'exit');
    await work.begin?.();
    await exited;
    await work.expectUnfinished();

    if (work.release !== undefined) await db.query(work.release);
    await Promise.all([startWorker(), startWorker()]);
    await expect.poll(work.readProgress, { timeout: TAKE_OVER_MS, interval: 200 }).toBe(work.done);
    await work.expectDoneOnce();
  },
  TAKE_OVER_MS + 60_000,
);

test('a worker calls no private address to unsubscribe, unless the operator allows that', async () => {
  await openGmail();
  const server = await startListServer(['localhost']);
  await unsubscribe(`https://localhost:${server.port}/off`);
  await startWorkerProcess(db, gmail.url, { NODE_EXTRA_CA_CERTS: server.certPath });
  await expect
    .poll(readUnsubscribe, { timeout: TAKE_OVER_MS, interval: 200 })
    .toMatchObject({ state: 'refused', error: 'address_refused' });
  expect(server.requests).toEqual([]);
});

const suggest = (action: 'archive' | 'notify') =>
  respondWithSuggestions([{ action, classification: 'bulk', confidence_score: 0.9 }]);

const openGmail = async (messages: { id: string; labels?: string[] }[] = []): Promise<void> => {
  gmail = await startTestGmail({ messages });
  onTestFinished(() => gmail.close());
};

const readHistoryId = async (): Promise<string> => {
  const headers = { authorization: 'Bearer token' };
  const response = await fetch(`${gmail.url}/gmail/v1/users/me/profile`, { headers });
  return ((await response.json()) as { historyId: string }).historyId;
};

const isChange = ({ path }: { path: string }): boolean => path.endsWith('/batchModify');

/** Gmail makes the second change; nobody is there any more to record it. */
const killAtSecondChange = (kill: () => void): void => {
  let changes = 0;
  gmail.intercept((request) => {
    if (!isChange(request)) return undefined;
    changes += 1;
    if (changes === 2) kill();
    return undefined;
  });
};

/** The emails that Gmail was asked to change, sorted, each as often as it was. */
const listMoved = (): string[] =>
  gmail.requests
    .filter(isChange)
    .flatMap(({ body }) => (body as { ids: string[] }).ids)
    .toSorted();

const readUnsubscribe = () => db.database.unsubscribe.findFirstOrThrow({ where: { userId } });

/** Has the user unsubscribe from a sender with such an address. */
const unsubscribe = async (oneClick: string): Promise<void> => {
  const { database } = db;
  const keys = deriveMessageKeys({ current: Buffer.alloc(32, 1) });
  const store = createMessageStores({ database, ...keys })(userId);
  await store.begin(1n);
  const facts = {
    threadId: 'm1',
    from: 'News <news@list.example>',
    subject: '',
    snippet: '',
    receivedAt: new Date(),
    sizeBytes: 1,
    attachmentCount: 0,
    attachmentBytes: 0,
    isInvitation: false,
    isSenderUnclear: false,
    failsDmarc: false,
    unsubscribe: { oneClick, link: oneClick, isSigned: true },
  };
  await store.save([{ completeUpTo: 1n, message: { id: 'm1', historyId: 1n, labels: ['INBOX'], facts } }]);
  const { senderKey } = await database.cachedMessage.findFirstOrThrow({ where: { userId } });
  const senderId = Buffer.from(senderKey).toString('hex');
  const { unsubscribing } = openTestMailsweep({ database, ...keys });
  await unsubscribing.request(userId, senderId, { address: null, browser: null });
};

const userId = randomUUID();
let db: TestDatabase;
let gmail: TestGmail;
beforeEach(async () => {
  db = await createTestDatabase();
  await insertConnectedUser(db, userId);
});
afterEach(() => db.drop());
