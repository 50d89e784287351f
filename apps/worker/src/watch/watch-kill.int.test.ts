import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { type FakeGmail, startFakeGmail } from '@mailsweep/gmail/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { insertConnectedUser, startWorkerProcess } from '../testing/worker-process.ts';

const NEW_EMAILS = ['new-1', 'new-2', 'new-3'];
const TAKE_OVER_MS = 60_000;
const BULK = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };

test(
  'a check whose worker is killed is made again by one of two others, once, and loses no email',
  async () => {
    const asked: string[][] = [];
    const classification = await startClassification(asked);
    const first = await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    classification.onRequest(() => void first.kill('SIGKILL'));
    await once(first, 'exit');
    expect(asked).toEqual([NEW_EMAILS]);
    expect(await readWatch()).toMatchObject({ historyId, newEmails: 0 });
    expect(await db.database.emailSuggestion.count()).toBe(0);

    classification.onRequest(() => undefined);
    await db.query(`UPDATE "MailboxWatch" SET "leasedUntil" = now()`);
    await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    await expect
      .poll(async () => (await readWatch()).newEmails, { timeout: TAKE_OVER_MS, interval: 200 })
      .toBe(NEW_EMAILS.length);
    expect(asked).toEqual([NEW_EMAILS, NEW_EMAILS]);
    const stored = await db.database.emailSuggestion.findMany({ orderBy: { emailId: 'asc' } });
    expect(stored.map(({ emailId }) => emailId)).toEqual(NEW_EMAILS);
    expect(await readWatch()).toMatchObject({ state: 'active', failures: 0, leaseId: null });
  },
  TAKE_OVER_MS + 60_000,
);

const readWatch = () => db.database.mailboxWatch.findUniqueOrThrow({ where: { userId } });

/** Suggests to archive every email, once `onRequest` was called. */
const startClassification = async (asked: string[][]) => {
  let onRequest: () => void = () => undefined;
  const server = createServer(async (request, response) => {
    const emails = (await json(request)) as { id: string }[];
    asked.push(emails.map(({ id }) => id).toSorted());
    onRequest();
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(emails.map(({ id }) => ({ id, suggestions: [BULK] }))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    onRequest(next: () => void) {
      onRequest = next;
    },
  };
};

const userId = randomUUID();
let db: TestDatabase;
let gmail: FakeGmail;
let historyId: string;
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startFakeGmail({ messages: [{ id: 'old', labelIds: ['INBOX'] }] });
  await insertConnectedUser(db, userId);
  const profile = await fetch(`${gmail.url}/gmail/v1/users/me/profile`, {
    headers: { authorization: 'Bearer token' },
  });
  historyId = ((await profile.json()) as { historyId: string }).historyId;
  for (const id of NEW_EMAILS) gmail.deliver({ id, labelIds: ['INBOX'] });
  await db.database.userPreferences.create({ data: { userId, watchEnabled: true } });
  await db.database.mailboxWatch.create({
    data: { userId, historyId, overlapHistoryId: historyId, readAt: new Date() },
  });
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
