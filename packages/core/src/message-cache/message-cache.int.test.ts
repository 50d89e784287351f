import { randomBytes } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { refusal } from '@mailsweep/google-sandbox/testing/gmail';
import type { EmailPage, EmailQuery } from '@mailsweep/mail/mailbox';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  inboxMail,
  type MailboxBench,
  NOW_MS,
  OWN_LABEL,
  openMailboxBench,
} from '../testing/mailbox-bench.ts';

const PAGE = { scope: 'inbox', pageSize: 100 } as const;
const toIds = ({ emails }: EmailPage) => emails.map(({ id }) => id);
const mailIds = (count: number) => inboxMail(count).map(({ id }) => id);

describe('a page of 100', () => {
  test('costs one list and one read of each message when it is new', async () => {
    const { result, units } = await bench.measure(() => first.mailbox.listEmails(PAGE));

    expect(toIds(result)).toEqual(mailIds(100));
    expect(units).toBe(5 + 100 * 20);
    const next = await bench.measure(() =>
      first.mailbox.listEmails({ ...PAGE, pageToken: result.nextPageToken ?? '' }),
    );
    expect(next).toMatchObject({ units: 5 + 20 * 20, gets: 20 });
  });

  test('costs one list and one look at the history afterwards, and is the same', async () => {
    const cold = await first.mailbox.listEmails(PAGE);
    const warm = await bench.measure(() => bench.openProcess().mailbox.listEmails(PAGE));

    expect(warm.result).toEqual(cold);
    expect(warm).toMatchObject({ units: 7, gets: 0 });
  });

  test('shows what other clients did, at no more than that', async () => {
    await first.mailbox.listEmails(PAGE);
    await bench.gmail.change('m1', { removed: ['UNREAD'], added: ['STARRED'] });
    await bench.gmail.change('m2', { removed: ['INBOX'] });
    await bench.gmail.change('m3', { removed: ['UNREAD'] });
    await bench.gmail.change('m3', { added: ['UNREAD', 'CATEGORY_SOCIAL'] });
    const read = await bench.measure(() => first.mailbox.listEmails({ ...PAGE, pageSize: 99 }));

    expect(toIds(read.result)).toEqual(mailIds(100).filter((id) => id !== 'm2'));
    expect(read.result.emails[1]).toMatchObject({ labels: ['INBOX', 'STARRED'], isRead: true });
    expect(read.result.emails[2]).toMatchObject({ id: 'm3', isRead: false, category: 'social' });
    expect(read).toMatchObject({ units: 7, gets: 0 });
  });

  test('shows what happened between a look at the history and the list that goes with it', async () => {
    await first.mailbox.listEmails(PAGE);
    await bench.gmail.change('m1', { removed: ['UNREAD'] });
    await first.mailbox.listEmails(PAGE);
    const { promise: historyAsked, resolve } = Promise.withResolvers<void>();
    bench.gmail.intercept(async ({ path }) => {
      if (path.endsWith('/history')) resolve();
      if (!path.endsWith('/messages')) return;
      await historyAsked;
      await setImmediate();
      await bench.gmail.change('m1', { added: ['UNREAD'] });
    });
    const read = await bench.measure(() => first.mailbox.listEmails({ ...PAGE, pageSize: 2, unread: true }));

    expect(toIds(read.result)).toEqual(['m0', 'm1']);
    expect(read).toMatchObject({ units: 7 + 2, gets: 0 });
  });

  test('reads only what has arrived since', async () => {
    await first.mailbox.listEmails(PAGE);
    const arrived = await bench.gmail.deliver({ labels: ['INBOX'] });
    const read = await bench.measure(() => first.mailbox.listEmails(PAGE));

    expect(toIds(read.result)).toEqual([arrived, ...mailIds(99)]);
    expect(read).toMatchObject({ units: 7 + 20, gets: 1 });
    expect(await bench.measure(() => first.mailbox.listEmails(PAGE))).toMatchObject({ units: 7 });
  });

  test('forgets what was deleted for good', async () => {
    await first.mailbox.listEmails(PAGE);
    await bench.gmail.remove('m5');

    expect(toIds(await first.mailbox.listEmails(PAGE))).not.toContain('m5');
    expect(await bench.query(`SELECT FROM "CachedMessage" WHERE "emailId" = 'm5'`)).toEqual([]);
  });

  test('begins at the current history id when its newest mail is too old to begin with', async () => {
    const old = inboxMail(3).map((message, index) => ({
      ...message,
      receivedAtMs: NOW_MS - 3 * 86_400_000 - index,
    }));
    await bench.close();
    bench = await openMailboxBench(old);
    const { mailbox } = bench.openProcess();
    expect(await bench.measure(() => mailbox.listEmails(PAGE))).toMatchObject({ units: 5 + 3 * 20 + 1 });
    await bench.gmail.change('m1', { added: ['STARRED'] });

    expect((await mailbox.listEmails(PAGE)).emails[1]?.labels).toContain('STARRED');
    expect(await bench.measure(() => mailbox.listEmails(PAGE))).toMatchObject({ units: 7 });
  });
});

describe('a message that changes while it is on its way into the store', () => {
  test('is not cached as it was, when another process has read past the change meanwhile', async () => {
    await first.mailbox.listEmails({ ...PAGE, pageSize: 2 });
    const arrived = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<undefined>();
    bench.gmail.intercept(({ path }) => {
      if (!path.endsWith('/m3')) return undefined;
      arrived.resolve();
      return gate.promise;
    });
    const slow = first.mailbox.listEmails({ ...PAGE, pageSize: 4 });
    await arrived.promise;
    // The slow one knows the history until here, and waits for m3 alone.
    const wasHistoryRead = () => bench.gmail.requests.some(({ path }) => path.endsWith('/history'));
    await expect.poll(() => wasHistoryRead() && bench.gmail.inFlight()).toBe(1);
    await bench.gmail.change('m2', { added: ['STARRED'] });
    const quick = bench.openProcess().mailbox;
    expect(toIds(await quick.listEmails({ ...PAGE, pageSize: 2 }))).toEqual(['m0', 'm1']);
    gate.resolve(undefined);
    expect(toIds(await slow)).toEqual(mailIds(4));

    const read = await bench.measure(() => quick.listEmails({ ...PAGE, pageSize: 4 }));
    expect(read.result.emails[2]?.labels).toContain('STARRED');
    // What came too late was cached all the same, with the change.
    expect(read).toMatchObject({ gets: 0 });
  });
});

describe('a record that the history lost', () => {
  test.each([
    ['by which a message came back to the inbox', {}, { removed: ['INBOX'] }, { added: ['INBOX'] }],
    [
      'by which a message left the trash',
      { scope: 'all' as const },
      { added: ['TRASH'] },
      { added: ['INBOX'], removed: ['TRASH'] },
    ],
    ['by which a message became unread', { unread: true }, { removed: ['UNREAD'] }, { added: ['UNREAD'] }],
  ])('%s does not hide it: it is fetched again, once', async (_, query, before, lost) => {
    const page: EmailQuery = { ...PAGE, ...query };
    await first.mailbox.listEmails(page);
    await bench.gmail.change('m3', before);
    expect(toIds(await first.mailbox.listEmails(page))).not.toContain('m3');
    await bench.gmail.loseNextRecords(2);
    await bench.gmail.change('m3', lost);

    const read = await bench.measure(() => first.mailbox.listEmails(page));
    expect(toIds(read.result)).toEqual(mailIds(100));
    // List, history, the history again, one message; m100 was on the page meanwhile.
    expect(read).toMatchObject({ units: 5 + 2 + 2 + 20, gets: 1 });
    expect(await bench.measure(() => first.mailbox.listEmails(page))).toMatchObject({ units: 7 });
    await first.act(['m3'], 'archive');
    expect((await bench.listHistory())[0]?.details.labelChange).toEqual({ added: [], removed: ['INBOX'] });
  });
});

describe('when the provider has forgotten its history', () => {
  const tenNewest = { ...PAGE, pageSize: 10 };
  const GMAIL_LABELS = 15;
  /** Profile twice, labels and the lists of each, the history. */
  const REFRESH_UNITS = 1 + 1 + 1 + 5 * (1 + GMAIL_LABELS) + 2;
  const expire = async () => {
    await bench.gmail.change('m1', { added: ['STARRED'] });
    await bench.gmail.change('m50', { added: [OWN_LABEL], removed: ['INBOX', 'UNREAD'] });
    await bench.gmail.remove('m51');
    await bench.gmail.expireHistory();
  };
  const expectAllTrue = async () => {
    const rows = await bench.query<{ emailId: string; labels: string[] }>('SELECT * FROM "CachedMessage"');
    expect(rows).toHaveLength(99);
    for (const { emailId, labels } of rows) expect(labels.toSorted()).toEqual(bench.labelsOf(emailId));
  };

  test('the labels of all that is cached are read again by lists, once, and that is reported', async () => {
    await first.mailbox.listEmails(PAGE);
    await expire();
    const read = await bench.measure(() => first.mailbox.listEmails(tenNewest));

    expect(read.result.emails[1]?.labels).toContain('STARRED');
    expect(read).toMatchObject({ gets: 0, units: 5 + 2 + 1 + REFRESH_UNITS });
    await expectAllTrue();
    expect(bench.countResyncs()).toBe(1);
    expect(await bench.measure(() => first.mailbox.listEmails(tenNewest))).toMatchObject({ units: 7 });
  });

  test('nothing is shown less meanwhile, whatever it is kept from, and it goes on later', async () => {
    await first.mailbox.listEmails(PAGE);
    const overview = async () => [
      (await bench.query('SELECT FROM "CachedMessage" WHERE NOT "isHidden"')).length,
      (await first.listSenders()).total,
    ];
    const [before] = await Promise.all([overview(), expire()]);
    let lists = 0;
    bench.gmail.intercept(async ({ path, query }) => {
      expect(await overview()).toEqual(before);
      if (!path.endsWith('/messages') || query.get('includeSpamTrash') !== 'true') return undefined;
      lists += 1;
      return lists > 3 ? refusal(500, 'backendError') : undefined;
    });
    expect(toIds(await first.mailbox.listEmails(tenNewest))).toEqual(mailIds(10));
    expect(lists).toBeGreaterThan(3);
    expect(await overview()).toEqual(before);

    bench.gmail.intercept(() => undefined);
    await first.mailbox.listEmails(tenNewest);
    await expectAllTrue();
    expect(bench.countResyncs()).toBe(1);
  });

  test('what leaves a list while it is read has the lists read once more', async () => {
    await first.mailbox.listEmails(PAGE);
    await expire();
    bench.gmail.intercept(async ({ path, query }) => {
      if (path.endsWith('/messages') && query.get('labelIds') === 'UNREAD') {
        bench.gmail.intercept(() => undefined);
        await bench.gmail.change('m60', { removed: ['UNREAD'] });
      }
      return undefined;
    });
    await first.mailbox.listEmails(tenNewest);
    await first.mailbox.listEmails(tenNewest);
    await expectAllTrue();
  });

  test('it is rebuilt once, while Gmail tells no history at all', async () => {
    await first.mailbox.listEmails(PAGE);
    await expire();
    bench.gmail.intercept(({ path }) => (path.endsWith('/history') ? refusal(404, 'notFound') : undefined));
    for (let list = 0; list < 5; list += 1) {
      expect(toIds(await first.mailbox.listEmails(tenNewest))).toEqual(mailIds(10));
    }
    await expectAllTrue();
    expect(await bench.measure(() => first.mailbox.listEmails(tenNewest))).toMatchObject({ gets: 0 });
    await bench.gmail.change('m2', { added: ['STARRED'] });
    expect((await first.mailbox.listEmails(tenNewest)).emails[2]?.labels).toContain('STARRED');
    expect(bench.countResyncs()).toBe(1);

    bench.gmail.intercept(() => undefined);
    await first.mailbox.listEmails(tenNewest);
    await bench.gmail.change('m3', { added: ['STARRED'] });
    await bench.gmail.expireHistory();
    await first.mailbox.listEmails(tenNewest);
    expect(bench.countResyncs()).toBe(2);
  });

  test('of a large mailbox background calls read them, and messages are read as they are asked for', async () => {
    await first.mailbox.listEmails(PAGE);
    await expire();
    bench.gmail.intercept(({ query }) =>
      query.get('fields') === 'messagesTotal'
        ? { status: 200, body: JSON.stringify({ messagesTotal: 33_000 }) }
        : undefined,
    );
    const read = await bench.measure(() => first.mailbox.listEmails(tenNewest));
    expect(read.gets).toBe(10);
    expect(read.result.emails[1]?.labels).toContain('STARRED');
    expect(await bench.query('SELECT FROM "CachedMessage"')).toHaveLength(100);

    await bench.openProcess({ priority: 'background' }).mailbox.listEmails(tenNewest);
    const rows = await bench.query<{ emailId: string; labels: string[] }>('SELECT * FROM "CachedMessage"');
    // A list that is shorter than the mailbox does not say that one is gone.
    expect(rows).toHaveLength(100);
    for (const { emailId, labels } of rows.filter((row) => row.emailId !== 'm51'))
      expect(labels.toSorted()).toEqual(bench.labelsOf(emailId));
  });

  test('as well as what was never read, at no further cost', async () => {
    await first.mailbox.listEmails({ ...PAGE, pageSize: 3 });
    await bench.gmail.expireHistory();
    const read = await bench.measure(() => first.mailbox.listEmails(tenNewest));

    expect(toIds(read.result)).toEqual(mailIds(10));
    expect(read).toMatchObject({ gets: 7, units: 5 + 2 + 1 + REFRESH_UNITS + 7 * 20 });
  });

  test('or when more happened than is worth reading', async () => {
    // 41 pages, of which most are empty.
    await bench.close();
    bench = await openMailboxBench(inboxMail(120), { historyEmptyPages: 20, historyTrailingPages: 20 });
    first = bench.openProcess();
    await first.mailbox.listEmails({ ...PAGE, pageSize: 2 });
    await bench.gmail.change('m50', { added: ['STARRED'] });
    const read = await bench.measure(() => first.mailbox.listEmails({ ...PAGE, pageSize: 2 }));

    expect(bench.countResyncs()).toBe(1);
    expect(read).toMatchObject({ gets: 0, units: 5 + 40 * 2 + 1 + REFRESH_UNITS });
  });
});

describe('what is cached', () => {
  test('reveals nothing of sender, subject or snippet', async () => {
    await first.mailbox.listEmails(PAGE);
    const rows = await bench.query('SELECT * FROM "CachedMessage"');
    expect(rows).toHaveLength(100);
    const dump = JSON.stringify(
      rows.map((row) =>
        Object.values(row).map((value) => (Buffer.isBuffer(value) ? value.toString('latin1') : value)),
      ),
    );

    expect(dump).toContain('UNREAD');
    expect(dump).not.toMatch(/Subject of|snippet of|shop\.example|sender\d/i);
  });

  test('shows which mails are of one sender, whatever name is beside the address', async () => {
    await first.mailbox.listEmails(PAGE);

    expect(await bench.query('SELECT DISTINCT "senderKey" FROM "CachedMessage"')).toHaveLength(7);
  });

  test('is erased with the user, also while it is being read', async () => {
    await first.mailbox.listEmails(PAGE);
    await bench.query('DELETE FROM "User"');
    expect(await bench.query('SELECT FROM "CachedMessage"')).toEqual([]);
    expect(await bench.query('SELECT FROM "MailboxSync"')).toEqual([]);

    expect(toIds(await first.mailbox.listEmails(PAGE))).toEqual(mailIds(100));
    expect(await bench.query('SELECT FROM "CachedMessage"')).toEqual([]);
  });

  test('is ignored when its key was deleted', async () => {
    const small = { ...PAGE, pageSize: 5 };
    await first.mailbox.listEmails(small);
    const rotated = bench.openProcess({ cacheKey: randomBytes(32) });

    expect(await bench.measure(() => rotated.mailbox.listEmails(small))).toMatchObject({ gets: 5 });
    expect(await bench.measure(() => rotated.mailbox.listEmails(small))).toMatchObject({ gets: 0 });
  });

  test('is ignored in a list when it was cached before conversations were', async () => {
    const small = { ...PAGE, pageSize: 5 };
    const before = await first.mailbox.listEmails(small);
    await bench.query(`UPDATE "CachedMessage" SET "threadId" = NULL WHERE "emailId" IN ('m0', 'm1')`);

    const read = await bench.measure(() => first.mailbox.listEmails(small));
    expect(read).toMatchObject({ gets: 2, result: before });
    expect(read.result.emails[0]?.threadId).toBe('thread-m0');
    expect(await bench.measure(() => first.mailbox.listEmails(small))).toMatchObject({ gets: 0 });
  });

  test('counts for nothing when it was moved to another message', async () => {
    const small = { ...PAGE, pageSize: 5 };
    const before = await first.mailbox.listEmails(small);
    await bench.query(`
      UPDATE "CachedMessage" AS one SET "encryptedText" = other."encryptedText"
      FROM "CachedMessage" AS other WHERE one."emailId" = 'm0' AND other."emailId" = 'm1'`);
    const read = await bench.measure(() => first.mailbox.listEmails(small));

    expect(read).toMatchObject({ gets: 1, result: before });
  });
});

describe('acting', () => {
  test.each([
    [1, 5],
    [10, 50],
  ])('on %i emails that were listed costs 5 units each', async (count, price) => {
    await first.mailbox.listEmails(PAGE);
    const { result, units } = await bench.measure(() => first.act(mailIds(count), 'archive'));

    expect(result.execution).toBe('full');
    expect(units).toBe(price);
    const records = await bench.listHistory();
    expect(records.map(({ details }) => details.labelChange)).toEqual(
      mailIds(count).map(() => ({ added: [], removed: ['INBOX'] })),
    );
    const undone = await bench.measure(() => first.undo(records.map(({ id }) => id)));
    expect(undone.result.execution).toBe('full');
    expect(undone.units).toBe(price + 2);
    expect(bench.labelsOf('m0')).toEqual(['INBOX', 'UNREAD']);
  });

  test('and acting again on the same email takes the labels that the first one left', async () => {
    await first.mailbox.listEmails(PAGE);
    await first.act(['m0'], 'archive');

    // The history is read first: the change before is in it, and belongs to the first record.
    expect(await bench.measure(() => first.act(['m0'], 'delete'))).toMatchObject({ units: 2 + 5 });
    expect((await bench.listHistory()).map(({ details }) => details.labelChange)).toEqual([
      { added: [], removed: ['INBOX'] },
      { added: ['TRASH'], removed: [] },
    ]);
  });

  test.each([
    ['with', true],
    ['without', false],
  ])('twice the same way is claimed once, where responses come %s a history id', async (_, hasHistoryId) => {
    await bench.close();
    bench = await openMailboxBench(inboxMail(120), { shortChangeResponses: !hasHistoryId });
    first = bench.openProcess();
    await first.mailbox.listEmails(PAGE);
    for (let count = 0; count < 3; count += 1) await first.act(['m0', 'm1'], 'archive');

    const records = await bench.listHistory();
    expect(records.map(({ details }) => details.labelChange.removed)).toEqual([
      ['INBOX'],
      ['INBOX'],
      [],
      [],
      [],
      [],
    ]);
    expect(records.map(({ details }) => details.gmailResponse.status)).toEqual([
      'ok',
      'ok',
      ...Array(4).fill('unchanged'),
    ]);
  });

  test('on labels that were seen long ago looks at the history first', async () => {
    await first.mailbox.listEmails(PAGE);
    await bench.query(`UPDATE "MailboxSync" SET "syncedAt" = now() - interval '6 minutes'`);
    await bench.gmail.change('m0', { removed: ['INBOX'] });

    // Gmail's response does not say whether it changed anything: the history is read again.
    expect(await bench.measure(() => first.act(['m0'], 'archive'))).toMatchObject({ units: 2 + 5 + 2 });
    expect((await bench.listHistory())[0]?.details.labelChange).toEqual({ added: [], removed: [] });
  });

  test.each([
    ['that were listed before', 120],
    ['that was never listed', 0],
  ])('on 1,000 emails %s costs at most 60 units, and undoing it no more', async (_, listed) => {
    await bench.close();
    // Where a change leaves two records, reading them takes twice as many pages.
    bench = await openMailboxBench(inboxMail(1_000), { historyRecords: 'joined' });
    first = bench.openProcess();
    for (let pageToken = ''; listed > 0; ) {
      const page = await first.mailbox.listEmails({ ...PAGE, ...(pageToken ? { pageToken } : {}) });
      if (page.nextPageToken === null) break;
      pageToken = page.nextPageToken;
    }
    await bench.gmail.change('m7', { removed: ['INBOX'], added: ['TRASH'] });
    await bench.gmail.change('m8', { removed: ['INBOX'] });
    const before = bench.gmail.messages.map(({ labels }) => labels.toSorted());
    const ids = [...mailIds(1_000).slice(1), 'unknown'];
    const { result, units } = await bench.measure(() => first.act(ids, 'delete'));

    expect(result.summary).toEqual({ total: 1_000, processed: 999, failed: 1 });
    expect(result.results.map(({ emailId }) => emailId)).toEqual(ids);
    expect(result.results.at(-1)).toMatchObject({ reason: 'not_found' });
    // The unknown one is read by itself, and so is m7 where it was not known to be in the trash already.
    expect(units).toBeLessThanOrEqual(60 + 2 * 20);
    const records = await bench.listHistory();
    const changeOf = new Map(records.map(({ emailId, details }) => [emailId, details.labelChange]));
    expect(changeOf.get('m1')).toEqual({ added: ['TRASH'], removed: ['INBOX'] });
    expect(changeOf.get('m7')).toEqual({ added: [], removed: [] });
    expect(changeOf.get('m8')).toEqual({ added: ['TRASH'], removed: [] });

    const undone = await bench.measure(() => first.undo(records.map(({ id }) => id)));
    expect(undone.result.execution).toBe('full');
    expect(undone.units).toBeLessThanOrEqual(60 + 5);
    expect(bench.gmail.messages.map(({ labels }) => labels.toSorted())).toEqual(before);
  });

  test.each([
    ['none', 'immediate', 0, {}, 60],
    ['some', 'immediate', 100, {}, 60],
    ['none', 'late', 0, { historyDelayMs: 60_000 }, 120],
    ['some', 'late', 100, { historyDelayMs: 60_000 }, 120],
    ['some', 'late and behind its id', 100, { historyDelayMs: 60_000, historyIdLeadsRecords: true }, 120],
  ])(
    'on 1,000 emails of which %s were listed, in a mailbox with a draft and a history that is %s',
    async (_some, _late, listed, behaviour, mostUnits) => {
      await bench.close();
      bench = await openMailboxBench([...inboxMail(1_000), { id: 'draft', labels: ['DRAFT'] }], behaviour);
      first = bench.openProcess();
      if (listed > 0) await first.mailbox.listEmails(PAGE);
      const { result, units } = await bench.measure(() => first.act(mailIds(1_000), 'archive'));
      expect(result.execution).toBe('full');
      expect(units).toBeLessThanOrEqual(mostUnits);
    },
  );

  test('undo leaves alone what has changed since, also of emails that were never listed', async () => {
    await first.act(mailIds(20), 'archive');
    await bench.gmail.change('m3', { added: ['INBOX'] });
    await bench.gmail.change('m4', { added: ['STARRED'] });
    await bench.gmail.remove('m5');
    const records = await bench.listHistory();
    const { results } = await first.undo(records.map(({ id }) => id));

    const reasons = results.flatMap((one) => (one.status === 'error' ? [[one.emailId, one.reason]] : []));
    expect(reasons.toSorted()).toEqual([
      ['m3', 'changed_since'],
      ['m5', 'not_found'],
    ]);
    expect(bench.labelsOf('m4')).toEqual(['INBOX', 'STARRED', 'UNREAD']);
  });
});

describe.each([
  ['late', { historyDelayMs: 60_000, historyIdLeadsRecords: false, importanceFollowsChanges: true }],
  [
    'late and behind its own id',
    { historyDelayMs: 60_000, historyIdLeadsRecords: true, importanceFollowsChanges: true },
  ],
  ['immediate', {}],
])('a history that is %s', (_, behaviour) => {
  test.each([3, 30])('does not keep the undo of changes of %i emails from being exact', async (count) => {
    await bench.close();
    bench = await openMailboxBench(inboxMail(40), behaviour);
    first = bench.openProcess();
    await first.mailbox.listEmails(PAGE);
    const withoutImportance = () => bench.labelsOf('m0')?.filter((label) => label !== 'IMPORTANT');
    const actAndUndo = async (action: 'archive' | 'delete') => {
      await first.act(mailIds(count), action);
      const ids = (await bench.listHistory()).slice(-count).map(({ id }) => id);
      return async () => expect(await first.undo(ids)).toMatchObject({ execution: 'full' });
    };

    const undoArchive = await actAndUndo('archive');
    const undoDelete = await actAndUndo('delete');
    expect(withoutImportance()).toEqual(['TRASH', 'UNREAD']);
    await undoDelete();
    expect(withoutImportance()).toEqual(['UNREAD']);
    bench.clock.advance(60_000);
    await undoArchive();
    expect(withoutImportance()).toEqual(['INBOX', 'UNREAD']);
    expect((await bench.listHistory()).map(({ details }) => details.labelChange)).toEqual([
      ...Array(count).fill({ added: [], removed: ['INBOX'] }),
      ...Array(count).fill({ added: ['TRASH'], removed: [] }),
    ]);
  });
});

let bench: MailboxBench;
let first: ReturnType<MailboxBench['openProcess']>;
beforeEach(async () => {
  bench = await openMailboxBench(inboxMail(120));
  first = bench.openProcess();
});
afterEach(() => bench.close());
