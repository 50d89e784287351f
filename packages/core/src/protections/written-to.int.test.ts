import { createSecretKey, randomBytes } from 'node:crypto';
import type { CleanupSelection } from '@mailsweep/contracts';
import { createTestDatabase } from '@mailsweep/database/testing';
import { createJmapMailbox } from '@mailsweep/mail/jmap';
import { PROFILES, startFakeJmap } from '@mailsweep/mail/jmap/testing';
import { createMessageStores, createStateStores } from '@mailsweep/mail/message-cache';
import { createTokenCipher } from '@mailsweep/mail/provider-connection';
import { expect, onTestFinished, test } from 'vitest';
import { openSandboxBench, seedMessage } from '../testing/sandbox-bench.ts';
import { openTestMailsweep } from '../testing/test-mailsweep.ts';

const IN_INBOX: CleanupSelection = { type: 'filter', scope: 'inbox', except: [] };
const LIST_ID = { name: 'List-Id', value: 'Developers <dev.lists.example>' };
const UNSUBSCRIBE = { name: 'List-Unsubscribe', value: '<https://work.example/leave>' };
const NEVER = new AbortController().signal;

/** A mailbox from which one message was sent, and which a scan has read. */
const openScanned = async () => {
  const seed = (id: string, minutesAgo: number, from: string) => ({
    ...seedMessage(id, minutesAgo, ['INBOX']),
    from,
  });
  const sent = seedMessage('sent', 99, ['SENT']);
  const bench = await openSandboxBench(
    [
      seed('bob-1', 1, 'Bob <BOB@work.example>'),
      seed('bob-2', 2, 'bob@work.example'),
      seed('eve', 3, 'Eve <eve@work.example>'),
      { ...seed('list', 4, 'Carol <carol@other.example>'), headers: [LIST_ID] },
      { ...seed('newsletter', 7, 'Bob <bob@work.example>'), headers: [UNSUBSCRIBE] },
      seed('self', 5, `Me <${sent.to}>`),
      seed('shop', 6, 'Shop <news@shop.example>'),
      {
        ...sent,
        from: sent.to,
        to: `"Bob" <bob@work.example>, ${sent.to}`,
        headers: [{ name: 'Cc', value: 'eve@work.example, dev@lists.example' }],
      },
    ],
    {},
  );
  onTestFinished(bench.close);
  const one = bench.openProcess();
  const id = await one.scans.start();
  while ((await one.scans.takeStep(id)).kind !== 'over');
  return { bench, one };
};

test('email of those whom the user has written to is left out of plans and of what is suggested, cached or not, but for newsletters', async () => {
  const { bench, one } = await openScanned();
  const { data } = await one.listStoredSuggestions({});
  expect(data.map(({ id }) => id)).toEqual(['self', 'shop', 'newsletter']);
  const bob = (await one.listSenders()).data.find(({ mails }) => mails === 3);
  const selection: CleanupSelection = { type: 'senders', senders: [bob?.id ?? ''], except: [] };
  for (const action of ['archive', 'mark_unread'] as const) {
    expect(await one.cleanups.plan({ action, selection })).toMatchObject({
      total: 1,
      excluded: { written_to: 2 },
    });
  }
  expect(await one.findSender(bob?.id ?? '')).toMatchObject({
    protected: false,
    excluded: { written_to: 2 },
    takes: { archive: 1, label: 1 },
  });
  await bench.query(`DELETE FROM "CachedMessage" WHERE "emailId" IN ('bob-1', 'eve')`);
  const plan = await one.cleanups.plan({ action: 'delete', selection: IN_INBOX });
  expect(plan).toMatchObject({ total: 4, excluded: { written_to: 3 } });
  const rule = await one.rules.create({
    condition: { type: 'classification', classification: 'bulk', minConfidence: 0.9 },
  });
  expect(await one.rules.preview(rule.id)).toMatchObject({ total: 3, excluded: { written_to: 1 } });
  expect(await one.act(['bob-2'], 'archive')).toMatchObject({ summary: { processed: 1 } });
});

test('a sender whom the user wrote to long ago is found when a cleanup names it, and one with a similar address is not', async () => {
  const sent = {
    ...seedMessage('sent', 9_999_999, ['SENT']),
    to: 'Steve <steve@work.example>, bob@work.example',
  };
  const bench = await openSandboxBench(
    [
      { ...seedMessage('bob', 1, ['INBOX']), from: 'Bob <bob@work.example>' },
      { ...seedMessage('eve', 2, ['INBOX']), from: 'Eve <eve@work.example>' },
      { ...seedMessage('news', 3, ['INBOX']), from: 'News <news@work.example>', headers: [UNSUBSCRIBE] },
      sent,
    ],
    {},
  );
  onTestFinished(bench.close);
  const one = bench.openProcess();
  await one.list({ scope: 'inbox' });
  expect(await bench.query('SELECT FROM "WrittenTo"')).toEqual([]);
  const senders = (await one.listSenders()).data.map(({ id }) => id);
  const selection: CleanupSelection = { type: 'senders', senders, except: [] };
  const plan = await one.cleanups.plan({ action: 'archive', selection });
  expect(plan).toMatchObject({ total: 2, excluded: { written_to: 1 } });
  const planned = await one.cleanups.listEmails(plan.id);
  expect(planned?.data.map(({ emailId }) => emailId)).toEqual(['eve', 'news']);
});

test('email is skipped where the user has written to its sender since the plan was made', async () => {
  const { bench, one } = await openScanned();
  const plan = await one.cleanups.plan({ action: 'delete', selection: IN_INBOX });
  await bench.query(`UPDATE "WrittenTo" SET "senderKey" = (
    SELECT "senderKey" FROM "CachedMessage" WHERE "emailId" = 'shop')
    WHERE "senderKey" = (SELECT "senderKey" FROM "CachedMessage" WHERE "emailId" = 'eve')`);
  await one.cleanups.control(plan.id, 'run');
  expect(await one.cleanups.work(plan.id)).toMatchObject({ changed: 3, skipped: 1 });
  const skipped = await one.cleanups.listEmails(plan.id, { outcome: 'skipped' });
  expect(skipped?.data).toMatchObject([{ emailId: 'shop', reason: 'written_to' }]);
});

test('a mailing list that the user has written to is a discussion, in no group of newsletters', async () => {
  const { one } = await openScanned();
  const { emails } = await one.list({});
  expect(emails.filter(({ isDiscussion }) => isDiscussion).map(({ id }) => id)).toEqual(['list']);
  const groups = await one.listSuggestionGroups({ by: 'classification' });
  expect(groups.data.map(({ key, emails: count }) => [key, count])).toEqual([['bulk', 3]]);
});

test('is known at a JMAP server, too', async () => {
  const { database, query, drop } = await createTestDatabase();
  const server = await startFakeJmap(PROFILES.Cyrus);
  onTestFinished(async () => {
    await server.close();
    await drop();
  });
  const userId = '019a0000-0000-7000-8000-000000000001';
  await query(`INSERT INTO "User" ("id", "providerSubject", "email") VALUES ($1, 'ada', '')`, [userId]);
  const mail: [string, string][][] = [
    [['From', 'Bob <bob@work.example>']],
    [['From', 'News <news@shop.example>']],
    [
      ['From', 'carol@other.example'],
      ['List-Id', LIST_ID.value],
    ],
  ];
  const [, , list] = mail.map((headers) => server.deliver({ headers }));
  server.deliver({
    mailboxIds: new Set(['sent']),
    headers: [
      ['From', 'ada@home.example'],
      ['To', 'Bob <bob@work.example>'],
      ['Cc', 'dev@lists.example'],
    ],
  });
  const keys = {
    database,
    cipher: createTokenCipher({ current: randomBytes(32) }),
    senderKey: createSecretKey(randomBytes(32)),
  };
  const token = async () => 'token';
  const mailbox = createJmapMailbox({
    server: { sessionUrl: server.sessionUrl },
    accessTokens: { current: token, renew: token },
    store: createStateStores(keys)(userId),
  });
  const mlClient = { suggest: async () => new Map() };
  const mailsweep = openTestMailsweep({ ...keys, openMailbox: () => mailbox, mlClient });
  onTestFinished(mailsweep.close);
  const steps = mailsweep.openTestSteps({
    openMeteredMailbox: () => ({ mailbox, unitsUsed: () => 0 }),
    openMessageStore: createMessageStores(keys),
  });
  const { scan } = await mailsweep.scans.start(userId, { scope: 'inbox' });
  expect(await steps.take('scan', { id: scan.id, userId, leaseId: scan.id }, NEVER)).toEqual({
    kind: 'over',
  });
  const plan = await mailsweep.cleanups.plan(userId, { action: 'delete', selection: IN_INBOX });
  expect(plan).toMatchObject({ total: 2, excluded: { written_to: 1 } });
  server.deliver({
    mailboxIds: new Set(['sent']),
    headers: [
      ['From', 'ada@home.example'],
      ['To', 'news@shop.example'],
    ],
  });
  const { data } = await mailsweep.senders.list(userId, { page: 1, perPage: 9, sort: 'mails' });
  const senders = data.filter(({ from }) => from.includes('shop')).map(({ id }) => id);
  const selection: CleanupSelection = { type: 'senders', senders, except: [] };
  const ofShop = await mailsweep.cleanups.plan(userId, { action: 'delete', selection });
  expect(ofShop).toMatchObject({ total: 0, excluded: { written_to: 1 } });
  const { emails } = await mailsweep.inbox.list(userId, { scope: 'inbox', pageSize: 10 });
  expect(emails.filter(({ isDiscussion }) => isDiscussion).map(({ id }) => id)).toEqual([list?.id]);
});
