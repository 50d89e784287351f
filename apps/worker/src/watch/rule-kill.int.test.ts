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
  'a rule whose worker is killed while it is planned is run by one of two others, once',
  async () => {
    const env = { ML_BASE_URL: await startClassification() };
    const first = await startWorkerProcess(db, gmail.url, env);
    gmail.intercept(({ query }) => {
      // Planning lists the conversations in which the user has written.
      if (query.getAll('labelIds').includes('SENT')) first.kill('SIGKILL');
      return undefined;
    });
    await once(first, 'exit');
    expect(await db.database.cleanup.count()).toBe(0);
    expect(await db.database.emailSuggestion.count()).toBe(NEW_EMAILS.length);
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
    expect(cleanups).toMatchObject([{ ruleId, changed: NEW_EMAILS.length }]);
    expect(await readRule()).toMatchObject({ runs: 1, lastCleanupId: cleanups[0]?.id });
    expect((await readRule()).dueAt?.getTime()).toBeGreaterThan(Date.now());
    const records = await db.database.actionHistory.findMany({ orderBy: { emailId: 'asc' } });
    expect(records.map(({ emailId }) => emailId)).toEqual(NEW_EMAILS);
    expect(records.map(({ details }) => details)).toMatchObject(
      NEW_EMAILS.map(() => ({ source: 'rule', ruleId })),
    );
    const left = gmail.messages.filter(({ labelIds }) => labelIds.includes('UNREAD'));
    expect(left.map(({ id }) => id)).toEqual(['old']);
  },
  TAKE_OVER_MS + 60_000,
);

const readRule = () => db.database.rule.findUniqueOrThrow({ where: { id: ruleId } });

/** Suggests to archive every email. */
const startClassification = async (): Promise<string> => {
  const server = createServer(async (request, response) => {
    const emails = (await json(request)) as { id: string }[];
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(emails.map(({ id }) => ({ id, suggestions: [BULK] }))));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const userId = randomUUID();
const ruleId = randomUUID();
const dueAt = new Date(Date.now() - 1_000);
let db: TestDatabase;
let gmail: FakeGmail;
beforeEach(async () => {
  db = await createTestDatabase();
  gmail = await startFakeGmail({ messages: [{ id: 'old', labelIds: ['INBOX', 'UNREAD'] }] });
  await insertConnectedUser(db, userId);
  const profile = await fetch(`${gmail.url}/gmail/v1/users/me/profile`, {
    headers: { authorization: 'Bearer token' },
  });
  const { historyId } = (await profile.json()) as { historyId: string };
  for (const id of NEW_EMAILS) gmail.deliver({ id, labelIds: ['INBOX', 'UNREAD'] });
  await db.database.userPreferences.create({ data: { userId, watchEnabled: true } });
  await db.database.mailboxWatch.create({
    data: { userId, historyId, overlapHistoryId: historyId, readAt: new Date() },
  });
  await db.database.mailboxSync.create({ data: { userId, historyId } });
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
