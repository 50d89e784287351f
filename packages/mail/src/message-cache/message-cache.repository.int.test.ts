import { createSecretKey, randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LabelRecord } from './label-record.ts';
import { createMessageStores } from './message-cache.repository.ts';
import type { MessageStore } from './message-store.ts';
import type { UnshownLabel } from './replay-records.ts';
import { FACTS, OPEN_CIPHER } from './testing/made-up-messages.ts';

describe('a mailbox of which nothing was begun', () => {
  test('has nothing cached, and keeps nothing', async () => {
    expect(await store.save([messageAt('one', 5n)])).toBe(true);
    await store.advance(1n, 9n, [recordAt('one', 7n)]);
    await store.noteChanges([ownChange('one', 7n)]);

    expect(await store.readMessages(['one'])).toBeUndefined();
    expect(await store.readLabels(['one'])).toBeUndefined();
    expect(await store.rebuild(1n, 9n)).toBe(false);
  });
});

describe('messages', () => {
  test('are read as they were cached, those that are asked for', async () => {
    await store.begin(5n);
    expect(await store.save([messageAt('one', 4n), messageAt('two', 5n, ['UNREAD'])])).toBe(true);
    const snapshot = await store.readMessages(['two', 'three']);

    expect(snapshot).toEqual({
      historyId: 5n,
      overlapHistoryId: 5n,
      syncedMsAgo: expect.any(Number),
      isRebuilding: false,
      cached: new Map([['two', { ...cached('two', 5n, ['UNREAD']), facts: FACTS }]]),
    });
    expect(await store.readLabels(['one'])).toMatchObject({
      historyId: 5n,
      cached: new Map([['one', cached('one', 4n, ['INBOX'])]]),
    });
  });

  test('are not there where an earlier version has read their sender', async () => {
    await store.begin(5n);
    const { isSenderUnclear: _, ...facts } = FACTS;
    const { message, completeUpTo } = messageAt('one', 5n);
    await store.save([{ message: { ...message, facts }, completeUpTo }]);

    expect((await store.readMessages(['one']))?.cached.size).toBe(0);
  });

  test('are not there where an earlier version has read what the user sent', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n, ['SENT']), messageAt('two', 5n)]);
    expect((await store.readMessages(['one', 'two']))?.cached.size).toBe(2);
    await db.query(
      `UPDATE "CachedMessage" SET "encryptedText" = replace("encryptedText", 'recipients', 'none')`,
    );

    expect([...((await store.readMessages(['one', 'two']))?.cached.keys() ?? [])]).toEqual(['two']);
  });

  test('are not there where none is cached, though the mailbox was begun', async () => {
    await store.begin(5n);

    expect(await store.readMessages(['one'])).toMatchObject({ historyId: 5n, cached: new Map() });
    expect(await store.readLabels(['one'])).toMatchObject({ historyId: 5n, cached: new Map() });
  });

  test('are not cached where a change may be missing in them, nor in place of newer ones', async () => {
    await store.begin(5n);
    const outdated = { ...messageAt('one', 4n), completeUpTo: 4n };
    expect(await store.save([outdated, messageAt('two', 6n, ['STARRED'])])).toBe(false);
    await store.save([{ ...messageAt('two', 4n), completeUpTo: 5n }]);

    expect((await store.readLabels(['one', 'two']))?.cached).toEqual(
      new Map([['two', cached('two', 6n, ['STARRED'])]]),
    );
  });

  test('are those of one user', async () => {
    const others = openStore(GRACE);
    for (const one of [store, others]) await one.begin(5n);
    await others.save([messageAt('one', 5n)]);
    await store.save([messageAt('two', 5n)]);
    await store.noteChanges([ownChange('one', 7n)]);
    await store.advance(5n, 9n, [recordAt('one', 8n)]);
    await store.rebuild(9n, 12n);

    expect((await store.readLabels(['one']))?.cached.size).toBe(0);
    expect(await others.readLabels(['one'])).toMatchObject({
      historyId: 5n,
      cached: new Map([['one', cached('one', 5n, ['INBOX'])]]),
    });
  });

  test('count as not cached once they can’t be read', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n), messageAt('two', 5n)]);
    await db.query(`UPDATE "CachedMessage" SET "encryptedText" = 'junk' WHERE "emailId" = 'one'`);

    expect([...((await store.readMessages(['one', 'two']))?.cached.keys() ?? [])]).toEqual(['two']);
  });
});

test('a mailbox is begun once', async () => {
  await store.begin(5n);
  await store.begin(9n);
  await openStore(uuidv7()).begin(1n);

  expect(await store.readLabels([])).toMatchObject({ historyId: 5n });
  expect(await db.query('SELECT FROM "MailboxSync"')).toHaveLength(1);
});

describe('a change of ours', () => {
  test('is in the labels at once, and counts as not shown until a record of its own shows it', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n), messageAt('two', 5n)]);
    await store.noteChanges([]);
    await store.noteChanges([ownChange('one', 7n), ownChange('three', 7n)]);
    await store.advance(5n, 9n, [recordAt('one', 8n)]);
    expect((await store.readLabels(['one', 'two', 'three']))?.cached).toEqual(
      new Map([
        [
          'one',
          cached(
            'one',
            5n,
            ['TRASH', 'STARRED'],
            [
              { label: 'TRASH', isAdded: true, at: 7n },
              { label: 'INBOX', isAdded: false, at: 7n },
            ],
          ),
        ],
        ['two', cached('two', 5n, ['INBOX'])],
      ]),
    );

    await store.advance(5n, 9n, [
      recordAt('one', 8n),
      { ...recordAt('one', 9n), added: ['TRASH'], removed: ['INBOX'] },
    ]);
    expect((await store.readLabels(['one']))?.cached.get('one')).toEqual(
      cached('one', 5n, ['TRASH', 'STARRED']),
    );
  });

  test('is no longer waited for once the overlap is behind it: the message has to be fetched again', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n), messageAt('two', 5n)]);
    await store.noteChanges([ownChange('one', 7n)]);
    await db.query(`UPDATE "MailboxSync" SET "overlapHistoryId" = 7`);
    expect((await store.readLabels(['one', 'two']))?.cached).toEqual(
      new Map([['two', cached('two', 5n, ['INBOX'])]]),
    );
    expect((await store.readMessages(['one']))?.cached).toEqual(new Map());

    await store.save([messageAt('one', 6n, ['UNREAD'])]);
    expect((await store.readLabels(['one']))?.cached.get('one')).toEqual(cached('one', 6n, ['UNREAD']));
  });

  test('gives way to a message that was fetched after it, and to no other', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n)]);
    await store.noteChanges([ownChange('one', 7n)]);
    await store.save([messageAt('one', 6n, ['INBOX'])]);
    expect((await store.readLabels(['one']))?.cached.get('one')).toMatchObject({ labels: ['TRASH'] });
    await store.save([messageAt('one', 7n, ['TRASH', 'UNREAD'])]);
    expect((await store.readLabels(['one']))?.cached.get('one')).toEqual(
      cached('one', 7n, ['TRASH', 'UNREAD']),
    );
  });
});

describe('a look at the history', () => {
  test('takes the store on, and what it tells into the labels', async () => {
    await store.begin(5n);
    await store.save(['one', 'two', 'three'].map((id) => messageAt(id, 5n)));
    await db.query(`UPDATE "MailboxSync" SET "syncedAt" = now() - interval '1 h'`);
    await store.advance(5n, 9n, [
      recordAt('one', 7n),
      { ...recordAt('two', 8n), isDeleted: true },
      recordAt('three', 4n),
      recordAt('unknown', 8n),
    ]);

    const snapshot = await store.readLabels(['one', 'two', 'three', 'unknown']);
    expect(snapshot?.historyId).toBe(9n);
    expect(snapshot?.syncedMsAgo).toBeLessThan(60_000);
    expect(snapshot?.cached).toEqual(
      new Map([
        ['one', cached('one', 5n, ['INBOX', 'STARRED'])],
        ['three', cached('three', 5n, ['INBOX'])],
      ]),
    );
    expect(await db.query('SELECT FROM "CachedMessage"')).toHaveLength(2);
  });

  test('that brings nothing new takes the store on all the same', async () => {
    await store.begin(5n);
    await store.advance(5n, 9n, []);
    expect(await store.readLabels([])).toMatchObject({ historyId: 9n });
  });

  test.each([
    ['begins after where the store stands', 6n, 9n],
    ['ends before where the store stands', 3n, 4n],
  ])('that %s changes nothing', async (_name, from, to) => {
    await store.begin(5n);
    await store.save([messageAt('one', 3n)]);
    await store.advance(from, to, [recordAt('one', 4n)]);

    expect(await store.readLabels(['one'])).toMatchObject({
      historyId: 5n,
      cached: new Map([['one', cached('one', 3n, ['INBOX'])]]),
    });
  });

  test('that ends where the store stands takes records in that were shown late', async () => {
    await store.begin(5n);
    await store.save(['one', 'two', 'three'].map((id) => messageAt(id, 4n)));
    await store.advance(5n, 9n, [recordAt('one', 8n)]);
    await store.noteChanges([ownChange('three', 9n)]);
    const late = ['one', 'two', 'three'].map((id) => ({ ...recordAt(id, 7n), added: ['LATE'] }));
    await store.advance(5n, 9n, [...late, recordAt('one', 8n)]);

    expect((await store.readLabels(['one', 'two', 'three']))?.cached).toEqual(
      new Map([
        ['one', cached('one', 4n, ['INBOX', 'STARRED', 'LATE'])],
        ['two', cached('two', 4n, ['INBOX', 'LATE'])],
        [
          'three',
          cached(
            'three',
            4n,
            ['TRASH', 'LATE'],
            [
              { label: 'TRASH', isAdded: true, at: 9n },
              { label: 'INBOX', isAdded: false, at: 9n },
            ],
          ),
        ],
      ]),
    );
  });

  test('is begun again two minutes back, and no earlier than a thousand records', async () => {
    const overlapAt = async () => (await store.readLabels([]))?.overlapHistoryId;
    const letTimePass = () =>
      db.query(`UPDATE "MailboxSync" SET "nextOverlapAt" = now() - interval '121 seconds'`);
    await store.begin(5n);
    await store.advance(5n, 9n, []);
    await store.advance(5n, 12n, []);
    expect(await overlapAt()).toBe(5n);
    await letTimePass();
    // All since the overlap has to be read before it moves.
    await store.advance(12n, 14n, []);
    expect(await overlapAt()).toBe(5n);
    await store.advance(5n, 15n, []);
    expect(await overlapAt()).toBe(9n);
    await letTimePass();
    await store.advance(9n, 15n, []);
    expect(await overlapAt()).toBe(15n);
    const many = Array.from({ length: 1_200 }, (_, index) => recordAt('one', BigInt(16 + index)));
    await store.advance(15n, 2_000n, many);
    expect(await overlapAt()).toBe(216n);
  });

  test('that begins before where the store stands, and ends after it, counts', async () => {
    await store.begin(5n);
    await store.save([messageAt('one', 5n)]);
    await store.advance(4n, 9n, [recordAt('one', 8n)]);

    expect(await store.readLabels(['one'])).toMatchObject({
      historyId: 9n,
      cached: new Map([['one', cached('one', 5n, ['INBOX', 'STARRED'])]]),
    });
  });
});

describe('a rebuild', () => {
  const ids = ['one', 'two', 'three'];
  const rows = async () =>
    new Map(
      (
        await db.query<{ emailId: string; labels: string[] }>(
          'SELECT "emailId", "labels" FROM "CachedMessage"',
        )
      ).map(({ emailId, labels }) => [emailId, labels]),
    );
  const begin = async () => {
    await store.begin(5n);
    await store.save(ids.map((id) => messageAt(id, 5n)));
    return await Promise.all([store.rebuild(5n, 9n), store.rebuild(5n, 9n)]);
  };

  test('begins once, keeps what is cached, and believes none of it', async () => {
    expect(await begin()).toEqual(expect.arrayContaining([true, false]));
    expect(await store.readMessages(ids)).toMatchObject({
      historyId: 9n,
      isRebuilding: true,
      cached: new Map(),
    });
    expect([...(await rows()).keys()].toSorted()).toEqual(ids.toSorted());
    expect((await store.listStale()).toSorted()).toEqual(ids.toSorted());
    await store.save([messageAt('one', 9n)]);
    expect((await store.readMessages(ids))?.cached.size).toBe(1);
    // Further on nothing is known either.
    expect(await store.rebuild(9n, 12n)).toBe(false);
    expect((await store.listStale()).length).toBe(3);
  });

  test('ends with the labels that stale messages have now, but for changes of ours after that', async () => {
    await begin();
    await store.noteChanges([ownChange('two', 11n)]);
    await store.advance(9n, 10n, [recordAt('three', 10n)]);
    expect(await rows()).toEqual(
      new Map([
        ['one', ['INBOX']],
        ['two', ['TRASH']],
        ['three', ['INBOX', 'STARRED']],
      ]),
    );
    const labels = new Map([
      ['one', undefined],
      ['two', ['INBOX']],
      ['three', ['UNREAD']],
    ]);
    await store.refresh(9n, labels, true);
    expect(await store.readLabels(ids)).toMatchObject({ isRebuilding: true, cached: new Map() });
    await store.refresh(10n, labels, true);
    expect(await store.readLabels(ids)).toMatchObject({
      isRebuilding: false,
      cached: new Map([['three', cached('three', 10n, ['UNREAD'])]]),
    });
    expect(await rows()).toEqual(
      new Map([
        ['two', ['TRASH']],
        ['three', ['UNREAD']],
      ]),
    );
  });
});

/** A message in which no change is missing for now. */
const messageAt = (id: string, historyId: bigint, labels = ['INBOX']) => ({
  message: { id, historyId, labels, facts: FACTS },
  completeUpTo: 9n,
});

/** The labels that the store gives of a message. */
const cached = (id: string, historyId: bigint, labels: string[], unshown: UnshownLabel[] = []) => ({
  id,
  historyId,
  labels,
  unshown,
});

/** A deletion of ours. */
const ownChange = (id: string, at: bigint) => ({ id, added: ['TRASH'], removed: ['INBOX'], at });

/** A star put on. */
const recordAt = (messageId: string, historyId: bigint): LabelRecord => ({
  messageId,
  historyId,
  added: ['STARRED'],
  removed: [],
  isDeleted: false,
});

const [ADA, GRACE] = [uuidv7(), uuidv7()];
let db: TestDatabase;
let openStore: (userId: string) => MessageStore;
let store: MessageStore;
beforeAll(async () => {
  db = await createTestDatabase();
  openStore = createMessageStores({
    database: db.database,
    cipher: OPEN_CIPHER,
    senderKey: createSecretKey(randomBytes(32)),
  });
  for (const id of [ADA, GRACE]) {
    await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, $2, '')`, [id, id]);
  }
});
beforeEach(async () => {
  await db.query('TRUNCATE "MailboxSync" CASCADE');
  await db.query('TRUNCATE "CachedMessage"');
  store = openStore(ADA);
});
afterAll(() => db.drop());
