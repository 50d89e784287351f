import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPushSubscriptions } from '@mailsweep/core';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { createTokenCipher } from '@mailsweep/provider-connection';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { PUSH_CERTIFICATE } from '../testing/push-certificate.ts';
import { createVapidConfig, type PushService, startPushService } from '../testing/push-service.ts';
import {
  insertConnectedUser,
  insertWatchedMailbox,
  startClassification,
  startWorkerProcess,
} from '../testing/worker-process.ts';

const NEW_EMAILS = 2;
const TAKE_OVER_MS = 60_000;
const suggestNotify = respondWithSuggestions([
  { action: 'notify', classification: 'bill', confidence_score: 0.9 },
]);

test(
  'email that the watch finds is told in the browser once, though the worker that sends it is killed',
  async () => {
    const first = await startWorker();
    pushService.onMessage(() => first.kill('SIGKILL'));
    await once(first, 'exit');
    const tags = () => new Set(pushService.received.map(({ message }) => message.tag));
    expect(tags().size).toBeGreaterThanOrEqual(1);
    expect(await db.database.notification.count({ where: { state: 'pending' } })).toBe(NEW_EMAILS);

    pushService.onMessage((response) => response.writeHead(201).end());
    await db.query(`UPDATE "Notification" SET "leasedUntil" = now()`);
    await Promise.all([startWorker(), startWorker()]);
    await expect
      .poll(() => db.database.notification.count({ where: { state: 'sent' } }), {
        timeout: TAKE_OVER_MS,
        interval: 200,
      })
      .toBe(NEW_EMAILS);
    // A repeated message took the place of the first one: the browser shows one for each email.
    expect(
      pushService
        .shown('laptop')
        .map(({ path }) => path)
        .toSorted(),
    ).toEqual(newEmails.map((id) => `/inbox?email=${id}`));
    expect(tags().size).toBe(NEW_EMAILS);
    // Only what was in flight at the kill was sent again.
    expect(pushService.received.length).toBeLessThanOrEqual(NEW_EMAILS + 1);
  },
  TAKE_OVER_MS + 60_000,
);

const startWorker = () =>
  startWorkerProcess(db, gmail.url, {
    ML_BASE_URL: classificationUrl,
    VAPID_PUBLIC_KEY: vapid.publicKey,
    VAPID_PRIVATE_KEY: vapid.privateKey,
    VAPID_SUBJECT: vapid.subject,
    ALLOW_PRIVATE_ADDRESSES: 'webhook,push',
    NODE_EXTRA_CA_CERTS: join(folder, 'push.pem'),
  });

const userId = randomUUID();
const vapid = createVapidConfig();
let folder: string;
let db: TestDatabase;
let gmail: TestGmail;
let newEmails: string[];
let pushService: PushService;
let classificationUrl: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'push-'));
  await writeFile(join(folder, 'push.pem'), PUSH_CERTIFICATE);
  db = await createTestDatabase();
  gmail = await startTestGmail({ messages: [{ id: 'old' }] });
  pushService = await startPushService(vapid);
  classificationUrl = (await startClassification(suggestNotify)).url;
  await insertConnectedUser(db, userId);
  ({ newEmails } = await insertWatchedMailbox(db, gmail, {
    userId,
    newEmails: NEW_EMAILS,
    preferences: { notifications: { alert: { push: true } } },
  }));
  await createPushSubscriptions({
    database: db.database,
    cipher: createTokenCipher({ current: Buffer.alloc(32, 1) }),
    pushKey: vapid.publicKey,
  }).subscribeToPush(userId, pushService.subscribe('laptop'), null);
});
afterEach(async () => {
  await pushService.close();
  await gmail.close();
  await db.drop();
  await rm(folder, { recursive: true });
});
