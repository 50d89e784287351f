import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { eventually } from '@mailsweep/event-bus/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { createMessageCacheSweeper } from './hourly-deletions.ts';

test('a worker deletes the cached messages of inactive users, however many there are', async () => {
  for (let user = 0; user < 23; user += 1) await cacheMessages(91);
  const present = await cacheMessages(89);
  const sweeper = createMessageCacheSweeper({
    database: db.database,
    logger: createRecordingLogger().logger,
  });
  onTestFinished(() => sweeper.close());

  await eventually(async () => {
    expect(await db.query('SELECT DISTINCT "userId" FROM "CachedMessage"')).toEqual([{ userId: present }]);
  });
});

/** A user with two cached messages, last active the given number of days ago. */
const cacheMessages = async (daysAgo: number): Promise<string> => {
  const userId = randomUUID();
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: 'ada@example.com' } });
  await db.query(
    `INSERT INTO "MailboxSync" ("userId", "historyId", "syncedAt") VALUES ($1, 1, now() - make_interval(days => $2))`,
    [userId, daysAgo],
  );
  await db.query(
    `INSERT INTO "CachedMessage" ("userId", "emailId", "generation", "historyId", "labels", "receivedAt", "sizeBytes",
       "attachmentCount", "attachmentBytes", "senderKey", "encryptedText")
     SELECT $1::uuid, 'm' || number, 1, 1, '{INBOX}', now(), 1, 0, 0, '', '' FROM generate_series(1, 2) AS number`,
    [userId],
  );
  return userId;
};

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());
