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
  'a rule whose worker is killed while it is planned is run by one of two others, once',
  async () => {
    const env = { ML_BASE_URL: (await startClassification(suggestArchive)).url };
    const first = await startWorkerProcess(db, gmail.url, env);
    gmail.intercept(({ query }) => {
      // Planning lists the conversations in which the user has written.
      if (query.getAll('labelIds').includes('SENT')) first.kill('SIGKILL');
      return undefined;
    });
    await once(first, 'exit');
    expect(await db.database.cleanup.count()).toBe(0);
    expect(await db.database.emailSuggestion.count()).toBe(NEW_EMAILS);
    expect(await readRule()).toMatchObject({ dueAt, checkedAt: null, runs: 0 });

    await db.query(`UPDATE "MailboxWatch" SET "dueAt" = now(), "leasedUntil" = NULL`);
    await startWorkerProcess(db, gmail.url, env);
    await startWorkerProcess(db, gmail.url, env);
    await expect
      .poll(async () => (await db.database.cleanup.findFirst())?.state, {
        timeout: TAKE_OVER_MS,
        interval: 200,
      })
      .toBe('completed');
    const cleanups = await db.database.cleanup.findMany();
    expect(cleanups).toMatchObject([{ ruleId, changed: NEW_EMAILS }]);
    expect(await readRule()).toMatchObject({ runs: 1, lastCleanupId: cleanups[0]?.id });
    expect((await readRule()).dueAt?.getTime()).toBeGreaterThan(Date.now());
    const records = await db.database.actionHistory.findMany({ orderBy: { emailId: 'asc' } });
    expect(records.map(({ emailId }) => emailId)).toEqual(newEmails);
    expect(records.map(({ details }) => details)).toMatchObject(
      newEmails.map(() => ({ source: 'rule', ruleId })),
    );
    const left = gmail.messages.filter(({ labels }) => labels.includes('UNREAD'));
    expect(left.map(({ id }) => id)).toEqual(['old']);
  },
  TAKE_OVER_MS + 60_000,
);

const readRule = () => db.database.rule.findUniqueOrThrow({ where: { id: ruleId } });

const userId = randomUUID();
const ruleId = randomUUID();
const dueAt = new Date(Date.now() - 1_000);
let db: TestDatabase;
let gmail: TestGmail;
let newEmails: string[];
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startTestGmail({ messages: [{ id: 'old', labels: ['INBOX', 'UNREAD'] }] });
  await insertConnectedUser(db, userId);
  const watched = await insertWatchedMailbox(db, gmail, { userId, newEmails: NEW_EMAILS });
  newEmails = watched.newEmails;
  await db.database.mailboxSync.create({ data: { userId, historyId: watched.historyId } });
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
});
afterEach(async () => {
  await gmail.close();
  await db.drop();
});
