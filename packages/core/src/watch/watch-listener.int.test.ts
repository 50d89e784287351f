import { randomUUID } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { holdWatches, leaveWatches, makeWatchDue } from './mailbox-watch.repository.ts';

const [one, other] = [randomUUID(), randomUUID()];
let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());

const addWatch = async (provider = 'own', watch: object = {}): Promise<string> => {
  const userId = randomUUID();
  await db.database.user.create({ data: { id: userId, providerSubject: userId, email: '' } });
  const token = { encryptedAccessToken: '', accessTokenExpiresAt: new Date(), scope: '' };
  await db.database.providerConnection.create({ data: { userId, provider, ...token } });
  await db.database.mailboxWatch.create({ data: { userId, dueAt: new Date(Date.now() + 60_000), ...watch } });
  return userId;
};
const hold = async (listenerId: string, most = 10) =>
  (await holdWatches(db.database, listenerId, { providers: ['own'], most })).toSorted();

test('watches at providers that tell of changes are held by one process each, as many as it may have', async () => {
  const userIds = [await addWatch(), await addWatch(), await addWatch()].toSorted();
  await addWatch('gmail');
  await addWatch('own', { state: 'waiting' });
  const first = await hold(one, 2);
  expect(first).toHaveLength(2);
  const second = await hold(other);
  expect([...first, ...second].toSorted()).toEqual(userIds);
  expect(await hold(one)).toEqual(first);
});

test('watches of a process that ended or died go to another one', async () => {
  const userIds = [await addWatch(), await addWatch()].toSorted();
  await hold(one);
  expect(await hold(other)).toEqual([]);
  await leaveWatches(db.database, one);
  expect(await hold(other)).toEqual(userIds);
  await db.query(`UPDATE "MailboxWatch" SET "listenedUntil" = now() - interval '1 s'`);
  expect(await hold(one)).toEqual(userIds);
});

test('watches that have stopped, and those of ended connections, are held no longer', async () => {
  const [stopped, ended] = [await addWatch(), await addWatch()];
  await hold(one);
  await db.database.mailboxWatch.update({ where: { userId: stopped }, data: { state: 'waiting' } });
  await db.database.providerConnection.update({
    where: { userId: ended },
    data: { reauthRequiredAt: new Date() },
  });
  expect(await hold(one)).toEqual([]);
});

test('a watch runs at once when it is told to, but not a second time at once', async () => {
  const userId = await addWatch();
  expect(await makeWatchDue(db.database, userId)).toBe(true);
  const { dueAt } = await db.database.mailboxWatch.findUniqueOrThrow({ where: { userId } });
  expect(dueAt?.getTime()).toBeLessThanOrEqual(Date.now());
  const inFlight = { leaseId: randomUUID(), leasedUntil: new Date(Date.now() + 60_000) };
  expect(await makeWatchDue(db.database, await addWatch('own', inFlight))).toBe(false);
  expect(await makeWatchDue(db.database, await addWatch('own', { state: 'waiting' }))).toBe(false);
  expect(await makeWatchDue(db.database, randomUUID())).toBe(false);
});
