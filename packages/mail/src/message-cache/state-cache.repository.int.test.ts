import { createSecretKey, randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMessageStores } from './message-cache.repository.ts';
import { createStateStores } from './state-cache.repository.ts';
import type { StateStore } from './state-store.ts';
import { FACTS, OPEN_CIPHER } from './testing/made-up-messages.ts';

const NOTHING = { labels: new Map(), gone: [] };
const message = (id: string, labels = ['INBOX']) => ({ id, labels, facts: FACTS });

describe('a mailbox of which nothing was begun', () => {
  test('has no state, and keeps nothing', async () => {
    expect(await store.readState()).toBeUndefined();
    expect(await store.save('s1', [message('one')])).toBe(false);
    expect(await store.advance('s1', 's2', NOTHING)).toBe(false);
    expect(await store.listCachedIds()).toEqual([]);
  });

  test('begins at one state, also when several processes begin', async () => {
    await Promise.all(['s1', 's2', 's3'].map((state) => store.begin(state)));
    const begun = await store.readState();
    await store.begin('s4');

    expect(await store.readState()).toMatchObject({ state: begun?.state });
    expect(begun?.confirmedMsAgo).toBeLessThan(60_000);
  });
});

describe('messages', () => {
  test('are kept as they were at the state of the store alone', async () => {
    await store.begin('s1');
    expect(await store.save('s1', [message('one'), message('two')])).toBe(true);
    expect(await store.save('s2', [message('three')])).toBe(false);
    expect(await store.save('s1', [message('one', ['TRASH'])])).toBe(true);

    expect(await labels()).toEqual({ one: ['TRASH'], two: ['INBOX'] });
    expect(await store.listCachedIds(['two', 'three'])).toEqual(['two']);
  });

  test('are read like those of a mailbox that has a history', async () => {
    await store.begin('s1');
    await store.save('s1', [message('one')]);

    const snapshot = await openMessageStore(ADA).readMessages(['one']);
    expect(snapshot?.cached.get('one')).toMatchObject({ labels: ['INBOX'], facts: FACTS });
  });

  test('have the labels of the next state once the store has moved there', async () => {
    await store.begin('s1');
    await store.save('s1', [message('one', ['INBOX', 'CATEGORY_FORUMS']), message('two'), message('three')]);
    const changes = {
      labels: new Map([
        ['one', []],
        ['unknown', ['INBOX']],
      ]),
      gone: ['two'],
    };
    expect(await store.advance('s1', 's2', changes)).toBe(true);
    expect(await store.advance('s1', 's3', { labels: new Map([['one', ['TRASH']]]), gone: ['three'] })).toBe(
      false,
    );

    expect(await labels()).toEqual({ one: ['CATEGORY_FORUMS'], three: ['INBOX'] });
    expect(await store.readState()).toMatchObject({ state: 's2' });
  });

  test('are moved by one of several processes that saw the same state', async () => {
    await store.begin('s1');
    await store.save('s1', [message('one', [])]);
    const moves = Array.from({ length: 8 }, (_, index) =>
      store.advance('s1', `s2-${index}`, { labels: new Map([['one', [`label-${index}`]]]), gone: [] }),
    );
    const moved = (await Promise.all(moves)).flatMap((isMoved, index) => (isMoved ? [index] : []));

    expect(moved).toHaveLength(1);
    expect(await labels()).toEqual({ one: [`label-${moved[0]}`] });
    expect(await store.readState()).toMatchObject({ state: `s2-${moved[0]}` });
  });

  test('are those of one user', async () => {
    const others = openStore(GRACE);
    for (const one of [store, others]) await one.begin('s1');
    await others.save('s1', [message('one')]);
    await store.advance('s1', 's2', { labels: new Map([['one', []]]), gone: ['one'] });

    expect(await others.readState()).toMatchObject({ state: 's1' });
    expect(await others.listCachedIds()).toEqual(['one']);
    expect(await store.listCachedIds()).toEqual([]);
  });
});

/** All cached labels of Ada's, by message id. */
const labels = async () => {
  const rows = await db.query<{ emailId: string; labels: string[] }>(
    'SELECT "emailId", "labels" FROM "CachedMessage" WHERE "userId" = $1',
    [ADA],
  );
  return Object.fromEntries(rows.map((row) => [row.emailId, row.labels]));
};

const [ADA, GRACE] = [uuidv7(), uuidv7()];
let db: TestDatabase;
let openStore: (userId: string) => StateStore;
let openMessageStore: ReturnType<typeof createMessageStores>;
let store: StateStore;
beforeAll(async () => {
  db = await createTestDatabase();
  const keys = { cipher: OPEN_CIPHER, senderKey: createSecretKey(randomBytes(32)) };
  openStore = createStateStores({ database: db.database, ...keys });
  openMessageStore = createMessageStores({ database: db.database, ...keys });
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
