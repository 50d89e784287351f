import { createSecretKey, randomBytes } from 'node:crypto';
import type { Suggestion } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createMessageStores, forgetUnreadMessages } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { createSenders } from './mail-overview.repository.ts';

const BULK: Suggestion = { action: 'archive', classification: 'bulk', confidence_score: 0.9 };
const OLD: Suggestion = { action: 'delete', classification: 'promotions_old', confidence_score: 0.8 };
const FIRST_PAGE = { page: 1, perPage: 20 };
const BY_MAILS = { ...FIRST_PAGE, sort: 'mails' as const };

describe('the senders', () => {
  test('are counted by address, the newest name shown, without spam, trash, chats and own mail', async () => {
    await cacheMessages([
      { id: 'a1', from: 'Shop <news@shop.example>', labels: ['INBOX', 'UNREAD'], day: 1, sizeBytes: 100 },
      { id: 'a2', from: 'The Shop <NEWS@shop.example>', labels: ['INBOX'], day: 3, sizeBytes: 200 },
      { id: 'a3', from: 'news@shop.example', labels: ['TRASH', 'UNREAD'], day: 4, sizeBytes: 400 },
      { id: 'a4', from: 'news@shop.example', labels: ['SPAM'], day: 4, sizeBytes: 400 },
      { id: 'b1', from: 'Bo <bo@example.com>', labels: [], day: 2, sizeBytes: 5_000 },
      { id: 'c1', from: 'Ada <ada@example.com>', labels: ['SENT'], day: 5, sizeBytes: 1 },
      { id: 'c2', from: 'Ada <ada@example.com>', labels: ['DRAFT'], day: 5, sizeBytes: 1 },
      { id: 'd1', from: 'Cy <cy@example.com>', labels: ['CHAT'], day: 5, sizeBytes: 1 },
    ]);
    await suggest({ a1: [BULK], a3: [BULK], b1: [OLD] });

    const { data, ...rest } = await overview.list(userId, BY_MAILS);
    expect(rest).toEqual({ total: 2, page: 1, perPage: 20, complete: false, scannedAt: null });
    expect(data).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{64}$/),
        from: 'The Shop <NEWS@shop.example>',
        mails: 2,
        inInbox: 2,
        unread: 1,
        bytes: 300,
        lastSeen: dayOf(3).toISOString(),
        lastRead: dayOf(3).toISOString(),
        suggested: 1,
        suggestedActions: { archive: 1 },
        protected: false,
        unsubscribe: null,
      },
      expect.objectContaining({
        from: 'Bo <bo@example.com>',
        mails: 1,
        inInbox: 0,
        unread: 0,
        lastRead: dayOf(2).toISOString(),
        bytes: 5_000,
        suggested: 1,
        suggestedActions: { delete: 1 },
        protected: false,
      }),
    ]);
  });

  test('of one domain are counted together, what is suggested by action, too', async () => {
    await cacheMessages([
      { id: 'a1', from: 'one@shop.example', labels: ['INBOX'], day: 1, sizeBytes: 1 },
      { id: 'b1', from: 'two@shop.example', labels: ['INBOX'], day: 2, sizeBytes: 1 },
      { id: 'b2', from: 'two@shop.example', labels: ['INBOX'], day: 2, sizeBytes: 1 },
      { id: 'c1', from: 'three@shop.example', labels: ['INBOX', 'UNREAD'], day: 3, sizeBytes: 1 },
    ]);
    await suggest({ a1: [BULK], b1: [OLD], b2: [BULK] });
    const { data } = await overview.list(userId, { ...BY_MAILS, by: 'domain' });
    expect(data).toMatchObject([
      {
        mails: 4,
        lastRead: dayOf(2).toISOString(),
        suggested: 3,
        suggestedActions: { archive: 2, delete: 1 },
      },
    ]);
  });

  test('are found by words of name and address, page by page', async () => {
    await cacheMessages([
      { id: 'a1', from: 'The Shop <news@shop.example>', labels: [], sizeBytes: 1, day: 1 },
      { id: 'a2', from: 'The Shop <news@shop.example>', labels: [], sizeBytes: 1, day: 2 },
      { id: 'b1', from: '"Shop, Ünited" <hello@other.example>', labels: [], sizeBytes: 1, day: 2 },
      { id: 'c1', from: 'Bo <bo@example.com>', labels: [], sizeBytes: 1, day: 2 },
    ]);
    const find = async (search: string, page = 1) => {
      const { total, data } = await overview.list(userId, { ...BY_MAILS, search, page, perPage: 1 });
      return [total, ...data.map(({ from }) => from)];
    };
    expect(await find('SHOP')).toEqual([2, 'The Shop <news@shop.example>']);
    expect(await find('shop', 2)).toEqual([2, '"Shop, Ünited" <hello@other.example>']);
    expect(await find('shop', 3)).toEqual([2]);
    expect(await find('other  ünited')).toEqual([1, '"Shop, Ünited" <hello@other.example>']);
    expect(await find('%')).toEqual([0]);
  });

  test.each([
    ['mails', ['a', 'b', 'c']],
    ['inInbox', ['b', 'c', 'a']],
    ['unread', ['b', 'a', 'c']],
    ['bytes', ['c', 'b', 'a']],
    ['lastSeen', ['c', 'a', 'b']],
    ['lastRead', ['c', 'a', 'b']],
    ['suggested', ['b', 'c', 'a']],
  ] as const)('are ordered by %s, and paged with the true total', async (sort, expected) => {
    await cacheMessages([
      ...['a1', 'a2', 'a3'].map((id) => ({
        id,
        from: 'a',
        labels: ['UNREAD', 'INBOX'],
        day: 5,
        sizeBytes: 1,
      })),
      ...['b1', 'b2'].map((id) => ({ id, from: 'b', labels: ['UNREAD', 'INBOX'], day: 4, sizeBytes: 10 })),
      { id: 'c1', from: 'c', labels: ['INBOX'], day: 6, sizeBytes: 100 },
    ]);
    await cacheMessages([{ id: 'b1', from: 'b', labels: ['UNREAD', 'INBOX'], day: 4, sizeBytes: 10 }]);
    const archived: Partial<Record<typeof sort, string[]>> = {
      inInbox: ['a1', 'a2', 'a3'],
      unread: ['a1', 'a2'],
      lastRead: ['a1'],
    };
    await cacheMessages(
      (archived[sort] ?? []).map((id) => ({ id, from: 'a', labels: [], day: 5, sizeBytes: 1 })),
    );
    await suggest({ b1: [BULK], b2: [OLD], c1: [OLD] });

    const pages = await Promise.all(
      [1, 2, 3, 4].map((page) => overview.list(userId, { page, perPage: 1, sort })),
    );
    expect(pages.flatMap(({ data }) => data.map(({ from }) => from))).toEqual(expected);
    expect(pages.map(({ total }) => total)).toEqual([3, 3, 3, 3]);
  });

  test('are complete once a scan has seen the whole mailbox, and no longer when its cache was deleted', async () => {
    await cacheMessages([{ id: 'a1', from: 'a', labels: [], day: 1, sizeBytes: 1 }]);
    await db.query(
      `INSERT INTO "MailboxScan" ("id", "userId", "scope", "state", "generation", "finishedAt")
       VALUES ($1, $2, 'inbox', 'completed', 1, now())`,
      [uuidv7(), userId],
    );
    expect(await overview.list(userId, BY_MAILS)).toMatchObject({ complete: false, scannedAt: null });
    await db.query(`UPDATE "MailboxScan" SET "scope" = 'all'`);
    expect(await overview.list(userId, BY_MAILS)).toMatchObject({ complete: true, total: 1 });
    await db.query(`UPDATE "MailboxSync" SET "syncedAt" = '2020-01-01'`);
    await forgetUnreadMessages(db.database, 90, 1);
    expect(await overview.list(userId, BY_MAILS)).toMatchObject({
      complete: false,
      scannedAt: expect.any(String),
      total: 0,
    });
  });

  test('are complete though there are none, once a scan has found nothing to cache', async () => {
    await db.query(
      `INSERT INTO "MailboxScan" ("id", "userId", "scope", "state", "finishedAt")
       VALUES ($1, $2, 'all', 'completed', now())`,
      [uuidv7(), userId],
    );
    expect(await overview.list(userId, BY_MAILS)).toMatchObject({ complete: true, total: 0 });
    await cacheMessages([{ id: 'a1', from: 'a', labels: [], day: 1, sizeBytes: 1 }]);
    expect(await overview.list(userId, BY_MAILS)).toMatchObject({ complete: false, total: 1 });
  });

  test('and emails whose texts can’t be read are shown without them', async () => {
    await cacheMessages([
      { id: 'a1', from: 'a', labels: ['INBOX', 'CATEGORY_UPDATES'], day: 1, sizeBytes: 9 },
    ]);
    const { data: before } = await overview.list(userId, BY_MAILS);
    await db.query(`UPDATE "CachedMessage" SET "encryptedText" = 'of another key'`);

    const { data } = await overview.list(userId, BY_MAILS);
    expect(data).toEqual(before.map((sender) => ({ ...sender, from: '' })));
    const emails = await overview.listEmails(userId, data[0]?.id ?? '', FIRST_PAGE);
    expect(emails.data).toEqual([
      {
        id: 'a1',
        from: '',
        subject: '',
        snippet: '',
        date: dayOf(1).toISOString(),
        labels: ['INBOX', 'CATEGORY_UPDATES'],
        isRead: true,
        category: 'updates',
        hasAttachment: false,
        attachmentSizeMb: 0,
        size: 9,
        threadId: 'conversation of a1',
        suggestions: [],
        protection: null,
      },
    ]);
  });

  test('have other ids for every user, and the ids of another user are unknown', async () => {
    const graceId = uuidv7();
    await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'grace', '')`, [
      graceId,
    ]);
    const emails = ['a@x', 'b@x', ''].map((from) => ({
      id: `from ${from}`,
      from,
      labels: ['INBOX'],
      day: 1,
      sizeBytes: 9,
    }));
    for (const ownerId of [userId, graceId]) {
      await cacheMessages(emails, ownerId);
      await suggest(Object.fromEntries(emails.map(({ id }) => [id, [BULK]])), ownerId);
    }
    const listIds = async (ownerId: string) =>
      (await overview.list(ownerId, BY_MAILS)).data.map(({ id }) => id);
    const [own, foreign] = [await listIds(userId), await listIds(graceId)];

    expect(new Set([...own, ...foreign]).size).toBe(6);
    for (const sender of foreign) {
      expect(await overview.listEmails(userId, sender, FIRST_PAGE)).toMatchObject({
        total: 0,
        data: [],
      });
      expect(await overview.listStoredSuggestions(userId, { ...FIRST_PAGE, sender })).toMatchObject({
        total: 0,
        data: [],
      });
      expect(await overview.listEmails(graceId, sender, FIRST_PAGE)).toMatchObject({ total: 1 });
    }
  });

  test('of another user are not listed', async () => {
    await cacheMessages([{ id: 'a1', from: 'a', labels: [], day: 1, sizeBytes: 1 }]);
    expect(await overview.list(uuidv7(), BY_MAILS)).toMatchObject({ total: 0, data: [] });
  });
});

describe('stored suggestions', () => {
  test('are those still open: not confirmed since, of mail that is still there', async () => {
    await cacheMessages([
      { id: 'open', from: 'Shop <a@x>', labels: ['INBOX', 'UNREAD'], day: 1, sizeBytes: 9 },
      { id: 'newer', from: 'b@x', labels: ['INBOX'], day: 2, sizeBytes: 9 },
      { id: 'trashed', from: 'a@x', labels: ['TRASH'], day: 3, sizeBytes: 9 },
      { id: 'archived', from: 'a@x', labels: [], day: 3, sizeBytes: 9 },
      { id: 'old', from: 'a@x', labels: [], day: 4, sizeBytes: 9 },
      { id: 'rejected', from: 'a@x', labels: ['INBOX'], day: 3, sizeBytes: 9 },
      { id: 'undone', from: 'a@x', labels: ['INBOX'], day: 0, sizeBytes: 9 },
      { id: 'nothing', from: 'a@x', labels: ['INBOX'], day: 3, sizeBytes: 9 },
    ]);
    await suggest({
      open: [BULK, OLD],
      newer: [OLD],
      trashed: [BULK],
      archived: [BULK],
      old: [OLD],
      rejected: [BULK],
      undone: [BULK],
    });
    await confirm('rejected', false);
    await confirm('undone', true);

    const { data, ...rest } = await overview.listStoredSuggestions(userId, FIRST_PAGE);
    expect(data.map(({ id }) => id)).toEqual(['old', 'newer', 'open', 'undone']);
    expect(rest).toEqual({ total: 4, page: 1, perPage: 20 });
    expect(data[2]).toMatchObject({
      id: 'open',
      from: 'Shop <a@x>',
      subject: 'Subject of open',
      isRead: false,
      suggestions: [BULK, OLD],
    });
    expect((await overview.list(userId, BY_MAILS)).data.map(({ suggested }) => suggested)).toEqual([3, 1]);
  });

  test('of another user are not shown for an email of the same id, nor do their confirmations count', async () => {
    const graceId = uuidv7();
    await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'grace', '')`, [
      graceId,
    ]);
    await cacheMessages([
      { id: 'hers', from: 'a@x', labels: ['INBOX'], day: 1, sizeBytes: 9 },
      { id: 'both', from: 'a@x', labels: ['INBOX'], day: 2, sizeBytes: 9 },
    ]);
    await suggest({ both: [BULK] });
    await suggest({ hers: [OLD], both: [OLD] }, graceId);
    await confirm('both', false, graceId);

    const { data } = await overview.listStoredSuggestions(userId, FIRST_PAGE);
    expect(data.map(({ id, suggestions }) => [id, suggestions])).toEqual([
      ['both', [{ ...BULK, acceptance: 0.9 }]],
    ]);
  });

  test('can be asked for one sender, page by page', async () => {
    await cacheMessages(
      ['1', '2', '3'].flatMap((day) => [
        { id: `a${day}`, from: 'a@x', labels: ['INBOX'], day: Number(day), sizeBytes: 9 },
        { id: `b${day}`, from: 'b@x', labels: ['INBOX'], day: Number(day), sizeBytes: 9 },
      ]),
    );
    await suggest({ a1: [BULK], a2: [BULK], b1: [BULK] });
    const { data: senders } = await overview.list(userId, BY_MAILS);
    const id = senders.find(({ from }) => from === 'a@x')?.id ?? '';

    const page = await overview.listStoredSuggestions(userId, { page: 2, perPage: 1, sender: id });
    expect(page).toMatchObject({ total: 2, data: [{ id: 'a1' }] });
    const emails = await overview.listEmails(userId, id, FIRST_PAGE);
    expect(emails.data.map((email) => [email.id, email.suggestions.length])).toEqual([
      ['a3', 0],
      ['a2', 1],
      ['a1', 1],
    ]);
    expect(await overview.listEmails(userId, '0'.repeat(64), FIRST_PAGE)).toMatchObject({ total: 0 });
    expect(await overview.listEmails(userId, id, { page: 9, perPage: 5 })).toMatchObject({
      total: 3,
      data: [],
    });
  });
});

interface Mail {
  id: string;
  from: string;
  labels: string[];
  day: number;
  sizeBytes: number;
}

const dayOf = (day: number) => new Date(Date.UTC(2026, 0, 1 + day));

const cacheMessages = async (emails: Mail[], ownerId = userId) => {
  historyId += 1n;
  const messages = emails.map(({ id, from, labels, day, sizeBytes }) => ({
    message: {
      id,
      historyId,
      labels,
      facts: {
        threadId: `conversation of ${id}`,
        from,
        subject: `Subject of ${id}`,
        snippet: '',
        receivedAt: dayOf(day),
        sizeBytes,
        attachmentCount: 0,
        attachmentBytes: 0,
        isInvitation: false,
        isSenderUnclear: false,
        failsDmarc: false,
      },
    },
    completeUpTo: historyId,
  }));
  const store = openStore(ownerId);
  await store.begin(1n);
  await store.save(messages);
};

const suggest = (suggestions: Record<string, Suggestion[]>, ownerId = userId) =>
  db.database.$transaction((tx) =>
    saveSuggestions(
      tx,
      ownerId,
      Object.entries(suggestions).map(([id, list]) => ({ id, suggestions: list })),
      new Date(),
    ),
  );

const confirm = (emailId: string, isUndone: boolean, ownerId = userId) =>
  db.query(
    `INSERT INTO "ActionHistory" ("id", "userId", "emailId", "action", "timestamp", "details", "undoneAt", "batchId")
     VALUES ($1, $2, $3, 'reject', now(), '{"source":"suggestions"}', $4, gen_random_uuid())`,
    [uuidv7(), ownerId, emailId, isUndone ? new Date() : null],
  );

const userId = '019a0000-0000-7000-8000-000000000001';
let db: TestDatabase;
let historyId: bigint;
let openStore: ReturnType<typeof createMessageStores>;
let overview: ReturnType<typeof createSenders>;
beforeAll(async () => {
  db = await createTestDatabase();
});
beforeEach(async () => {
  await db.empty();
  historyId = 1n;
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', '')`, [userId]);
  const cipher = createTokenCipher({ current: randomBytes(32) });
  const keys = { database: db.database, cipher, senderKey: createSecretKey(randomBytes(32)) };
  openStore = createMessageStores(keys);
  overview = createSenders(keys);
});
afterAll(() => db.drop());
