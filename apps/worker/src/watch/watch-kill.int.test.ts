import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { startTestGmail, type TestGmail } from '@mailsweep/google-sandbox/testing/gmail';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  insertConnectedUser,
  insertWatchedMailbox,
  startClassification,
  startWorkerProcess,
} from '../testing/worker-process.ts';

const NEW_EMAILS = 3;
const TAKE_OVER_MS = 60_000;
const suggestArchive = respondWithSuggestions([
  { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
]);

test(
  'a check whose worker is killed is made again by one of two others, once, and loses no email',
  async () => {
    const classification = await startClassification(() => void first.kill('SIGKILL'));
    const asked = () => classification.calls.map(({ items }) => items.map(({ id }) => id).toSorted());
    const first = await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    await once(first, 'exit');
    expect(asked()).toEqual([newEmails]);
    expect(await readWatch()).toMatchObject({ historyId, newEmails: 0 });
    expect(await db.database.emailSuggestion.count()).toBe(0);

    classification.behave(suggestArchive);
    await db.query(`UPDATE "MailboxWatch" SET "leasedUntil" = now()`);
    await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    await startWorkerProcess(db, gmail.url, { ML_BASE_URL: classification.url });
    await expect
      .poll(async () => (await readWatch()).newEmails, { timeout: TAKE_OVER_MS, interval: 200 })
      .toBe(NEW_EMAILS);
    expect(asked()).toEqual([newEmails]);
    const stored = await db.database.emailSuggestion.findMany({ orderBy: { emailId: 'asc' } });
    expect(stored.map(({ emailId }) => emailId)).toEqual(newEmails);
    expect(await readWatch()).toMatchObject({ state: 'active', failures: 0, leaseId: null });
  },
  TAKE_OVER_MS + 60_000,
);

const readWatch = () => db.database.mailboxWatch.findUniqueOrThrow({ where: { userId } });

const userId = randomUUID();
let db: TestDatabase;
let gmail: TestGmail;
let historyId: string;
let newEmails: string[];
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startTestGmail({ messages: [{ id: 'old' }] });
  await insertConnectedUser(db, userId);
  ({ historyId, newEmails } = await insertWatchedMailbox(db, gmail, { userId, newEmails: NEW_EMAILS }));
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
