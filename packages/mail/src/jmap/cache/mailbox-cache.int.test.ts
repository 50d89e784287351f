import { createSecretKey, randomBytes } from 'node:crypto';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createStateStores, type OpenStateStore } from '@mailsweep/mail/message-cache';
import { createManualClock } from '@mailsweep/service-kit/testing';
import { v7 as uuidv7 } from 'uuid';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createJmapMailbox } from '../jmap-mailbox.ts';
import { openFakeServer } from '../testing/test-mailbox.ts';

const RECEIVED_AT = new Date('2026-01-01T00:00:00Z');
const EMAIL = {
  labels: ['INBOX'],
  subject: 'Offer',
  from: 'News <news@shop.example>',
  receivedAt: RECEIVED_AT,
};
const ALL = { scope: 'all', pageSize: 100 } as const;

describe('what is cached of a mailbox at a JMAP server', () => {
  test('is what was listed', async () => {
    const { mailbox, server } = await open();
    const id = await server.deliver(EMAIL);
    await mailbox.listEmails(ALL);

    expect(await cached()).toEqual({ [id]: ['INBOX'] });
    expect(errors).toEqual([]);
  });

  test('has our changes at once, and those of others with the next list', async () => {
    const { mailbox, server } = await open();
    const [one = '', two = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    await mailbox.listEmails(ALL);
    const baseline = await mailbox.readBaseline([one]);
    const change = { id: one, added: [], removed: ['INBOX'], before: baseline.labels.get(one) };
    await mailbox.changeLabels([change], baseline.historyId);
    expect((await cached())[one]).not.toContain('INBOX');

    await server.change(two, { added: ['STARRED'], removed: [] });
    await server.destroy(one);
    await mailbox.listEmails(ALL);
    expect(await cached()).toEqual({ [two]: expect.arrayContaining(['INBOX', 'STARRED']) });
    expect(errors).toEqual([]);
  });

  test('has our changes at once, also where the server has refused some of them', async () => {
    const { mailbox, server } = await open();
    const [made = '', refused = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    const ids = [made, refused];
    server.refuseChangesOf?.([refused]);
    await mailbox.listEmails(ALL);
    const { historyId, labels } = await mailbox.readBaseline(ids);
    await mailbox.changeLabels(
      ids.map((id) => ({ id, added: [], removed: ['INBOX'], before: labels.get(id) })),
      historyId,
    );

    expect(await cached()).toEqual({ [made]: ['mbx:archive'], [refused]: ['INBOX'] });
  });

  test('follows mailboxes that hold no mail, also where it was filled before that was known', async () => {
    const { mailbox, server, fake } = await open();
    const [notes, old] = [fake.addMailbox({ name: 'Notes' }).id, fake.addMailbox({ name: 'Old' }).id];
    const [note = '', other = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    fake.change(note, { 'mailboxIds/inbox': null, [`mailboxIds/${notes}`]: true });
    fake.change(other, { [`mailboxIds/${old}`]: true });
    await mailbox.listEmails(ALL);
    expect(await cached()).toEqual({ [note]: [`mbx:${notes}`], [other]: ['INBOX', `mbx:${old}`] });
    // As far as the cache goes, it is the same whether a role or what is known of roles has changed.
    fake.changeMailbox(notes, { role: 'memos' });
    fake.changeMailbox(old, { parentId: 'trash' });
    await mailbox.checkChanges([]);

    expect(await cached()).toEqual({
      [note]: [`mbx:${notes}`, 'CHAT'],
      [other]: ['INBOX', `mbx:${old}`, 'CHAT'],
    });
    expect(errors).toEqual([]);
  });

  test('keeps a category, which no change of labels tells', async () => {
    const { mailbox, server, fake } = await open();
    const id = await server.deliver(EMAIL);
    fake.emails.get(id)?.headers.push(['List-Id', '<list.example>']);
    await mailbox.listEmails(ALL);
    await server.change(id, { added: ['STARRED'], removed: [] });
    await mailbox.checkChanges([]);

    expect(await cached()).toEqual({ [id]: ['INBOX', 'STARRED', 'CATEGORY_FORUMS'] });
  });

  test('is read again where the server has forgotten what changed', async () => {
    const { mailbox, server, fake } = await open();
    const [one = '', two = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    await mailbox.listEmails(ALL);
    await server.change(one, { added: [], removed: ['INBOX'] });
    await server.destroy(two);
    fake.expireChanges();
    await mailbox.checkChanges([]);

    const labels = await cached();
    expect(Object.keys(labels)).toEqual([one]);
    expect(labels[one]).not.toContain('INBOX');
    expect(errors).toEqual([]);
  });

  test('stays until it was read again, once, while the server tells no changes at all', async () => {
    const { mailbox, server, fake } = await open();
    const [one = '', two = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    await mailbox.listEmails(ALL);
    const before = await cached();
    await server.change(one, { added: [], removed: ['INBOX'] });
    await server.destroy(two);
    fake.tellNoChanges();
    const isRead = ([name, args]: readonly unknown[]) =>
      name === 'Email/get' && ((args as { ids?: string[] }).ids ?? []).length > 0;
    fake.intercept(({ methodCalls }) => (methodCalls?.some(isRead) ? { status: 403, body: '' } : undefined));
    await mailbox.checkChanges([]);
    expect(await cached()).toEqual(before);
    expect(errors.splice(0)).toHaveLength(1);

    fake.intercept(() => undefined);
    const read = fake.requests.length;
    for (let round = 0; round < 3; round += 1) await mailbox.checkChanges([]);
    expect(Object.keys(await cached())).toEqual([one]);
    expect((await cached())[one]).not.toContain('INBOX');
    const calls = fake.requests.slice(read).flatMap(({ methodCalls }) => methodCalls ?? []);
    expect(calls.filter(isRead)).toHaveLength(1);
    expect(errors).toEqual([]);
  });

  test('follows a role that moves to another mailbox, which changes no email', async () => {
    const { mailbox, server, fake } = await open();
    const [inTrash = '', inBin = ''] = [await server.deliver(EMAIL), await server.deliver(EMAIL)];
    const bin = fake.addMailbox({ name: 'Bin' }).id;
    fake.change(inTrash, { 'mailboxIds/inbox': null, 'mailboxIds/trash': true });
    fake.change(inBin, { 'mailboxIds/inbox': null, [`mailboxIds/${bin}`]: true });
    await mailbox.findEmails([inTrash, inBin]);
    expect(await cached()).toEqual({ [inTrash]: ['TRASH'], [inBin]: [`mbx:${bin}`] });
    fake.changeMailbox('trash', { role: null, name: 'Old' });
    fake.changeMailbox(bin, { role: 'trash' });
    await mailbox.checkChanges([]);

    expect(await cached()).toEqual({ [inTrash]: ['mbx:trash'], [inBin]: ['TRASH'] });
    expect(errors).toEqual([]);
  });

  test('equals the mailbox after several processes and another client have worked at once', async () => {
    const { mailbox, server, reopen } = await open();
    const ids: string[] = [];
    for (let index = 0; index < 30; index += 1) ids.push(await server.deliver(EMAIL));
    await mailbox.listEmails(ALL);
    const archive = async (own: string[], other = reopen()) => {
      for (const id of own) {
        const { labels, historyId } = await other.readBaseline([id]);
        const change = { id, added: [], removed: ['INBOX'], before: labels.get(id) };
        await other.changeLabels([change], historyId);
        await other.listEmails({ scope: 'inbox', pageSize: 10 });
      }
    };
    await Promise.all([
      archive(ids.slice(0, 10)),
      archive(ids.slice(5, 15)),
      (async () => {
        for (const id of ids.slice(8, 20)) await server.change(id, { added: ['STARRED'], removed: [] });
      })(),
    ]);
    await mailbox.checkChanges([]);

    const labels = await cached();
    expect(Object.keys(labels).toSorted()).toEqual(ids.toSorted());
    for (const id of ids) expect(new Set(labels[id])).toEqual(new Set(await server.readLabels(id)));
    expect(errors).toEqual([]);
  });
});

/** A mailbox with a cache, another client of the same account, and the fake server itself. */
const open = async () => {
  const { server: fake, ...server } = await openFakeServer();
  const reopen = () =>
    createJmapMailbox({
      server: { sessionUrl: fake.sessionUrl },
      accessTokens: { current: async () => 'token', renew: async () => 'token' },
      store: openStore(userId),
      onStoreError: (error) => errors.push(error),
      clock: createManualClock(),
      random: () => 0,
    });
  return { mailbox: reopen(), server, fake, reopen };
};

const cached = async (): Promise<Record<string, string[]>> => {
  const rows = await db.query<{ emailId: string; labels: string[] }>(
    'SELECT "emailId", "labels" FROM "CachedMessage" WHERE "userId" = $1',
    [userId],
  );
  return Object.fromEntries(rows.map(({ emailId, labels }) => [emailId, labels]));
};

let db: TestDatabase;
let openStore: OpenStateStore;
let userId: string;
let errors: unknown[];
beforeAll(async () => {
  db = await createTestDatabase();
  openStore = createStateStores({
    database: db.database,
    cipher: { encrypt: (text) => text, decrypt: (text) => text },
    senderKey: createSecretKey(randomBytes(32)),
  });
});
beforeEach(async () => {
  errors = [];
  userId = uuidv7();
  await db.query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1::uuid, $1::text, '')`, [
    userId,
  ]);
});
afterAll(() => db.drop());
