import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { type FakeJmap, startFakeJmap } from '@mailsweep/mail/jmap/testing';
import { respondWithSuggestions } from '@mailsweep/ml-client/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { insertConnectedUser, startClassification, startWorkerProcess } from '../testing/worker-process.ts';

const HOUR_MS = 3_600_000;
const WAIT = { timeout: 60_000, interval: 100 };
const suggestArchive = respondWithSuggestions([
  { action: 'archive', classification: 'bulk', confidence_score: 0.9 },
]);

const startWorker = async () => {
  const { url } = await startClassification(suggestArchive);
  const provider = { key: 'own', name: 'Own', sessionUrl: jmap.sessionUrl, token: true };
  return startWorkerProcess(db, 'http://127.0.0.1:1', {
    ML_BASE_URL: url,
    JMAP_PROVIDERS: JSON.stringify([provider]),
  });
};
const readWatch = () => db.database.mailboxWatch.findUniqueOrThrow({ where: { userId } });
const newEmails = async () => (await readWatch()).newEmails;

test('new email is found when the server tells of it, long before the next check', async () => {
  const worker = await startWorker();
  await expect.poll(() => jmap.events.count(), WAIT).toBe(1);
  jmap.deliver();
  await expect.poll(newEmails, WAIT).toBe(1);
  // Email that arrives while a connection is away is found once there is another.
  jmap.intercept(({ path }) => (path.startsWith('/events') ? { status: 503 } : undefined));
  jmap.events.end();
  await expect.poll(() => jmap.events.count(), WAIT).toBe(0);
  jmap.deliver();
  jmap.intercept(() => undefined);
  await expect.poll(newEmails, WAIT).toBe(2);
  expect((await readWatch()).dueAt?.getTime()).toBeGreaterThan(Date.now());

  worker.kill('SIGTERM');
  const [code] = await once(worker, 'exit');
  expect(code).toBe(0);
  expect(await readWatch()).toMatchObject({ listenerId: null, listenedUntil: null });
  expect(jmap.events.count()).toBe(0);
}, 120_000);

test('a token that the server no longer takes ends the listening, and the user is told', async () => {
  await startWorker();
  // The run at the connection is over: the next one is due in an hour.
  await expect.poll(async () => (await readWatch()).lastRunAt, WAIT).not.toBeNull();
  expect(jmap.events.count()).toBe(1);
  jmap.intercept(() => ({ status: 401 }));
  jmap.events.end();
  await expect.poll(async () => (await readWatch()).state, WAIT).toBe('reconnect_required');
  const connection = await db.database.providerConnection.findUniqueOrThrow({ where: { userId } });
  expect(connection.reauthRequiredAt).not.toBeNull();
  expect(jmap.requests.filter(({ path }) => path.startsWith('/events'))).toHaveLength(2);
}, 90_000);

test('a worker stops at once while servers do not respond', async () => {
  jmap.intercept(({ path }) => (path.startsWith('/events') ? new Promise(() => undefined) : undefined));
  const worker = await startWorker();
  await expect.poll(() => jmap.requests.some(({ path }) => path.startsWith('/events')), WAIT).toBe(true);
  worker.kill('SIGTERM');
  const [code] = await once(worker, 'exit');
  expect(code).toBe(0);
}, 90_000);

const userId = randomUUID();
let db: TestDatabase;
let jmap: FakeJmap;
beforeEach(async () => {
  db = await createTestDatabase();
  jmap = await startFakeJmap();
  await insertConnectedUser(db, userId);
  await db.database.providerConnection.update({
    where: { userId },
    data: { provider: 'own', accountId: 'account' },
  });
  await db.database.userPreferences.create({
    data: { userId, watchEnabled: true, watchEveryMinutes: 60 },
  });
  const historyId = jmap.state();
  await db.database.mailboxWatch.create({
    data: {
      userId,
      historyId,
      overlapHistoryId: historyId,
      readAt: new Date(),
      dueAt: new Date(Date.now() + HOUR_MS),
    },
  });
});
afterEach(async () => {
  await jmap.close();
  await db.drop();
});
