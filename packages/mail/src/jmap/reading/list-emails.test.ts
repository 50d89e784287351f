import type { EmailIdQuery, Mailbox } from '@mailsweep/mail/mailbox';
import { describe, expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';

const MB = 1024 * 1024;
const text = { type: 'text/plain', size: 5 };
const file = (size: number) => ({ type: 'application/pdf', name: 'a.pdf', disposition: 'attachment', size });
const multipart = (...subParts: object[]) => ({ type: 'multipart/mixed', subParts });

const list = async (mailbox: Mailbox, query: Partial<Parameters<Mailbox['listEmails']>[0]> = {}) => {
  const { emails } = await mailbox.listEmails({ scope: 'inbox', pageSize: 100, ...query });
  return emails.map(({ id }) => id);
};
const listIds = async (mailbox: Mailbox, query: Partial<EmailIdQuery>) => {
  const { emails } = await mailbox.listEmailIds({ scope: 'inbox', ...query }, 1_000);
  return emails.map(({ id }) => id);
};

describe('a page of 100 emails', () => {
  it('takes one request once the mailboxes are known', async () => {
    const { mailbox, server } = await setUpMailbox();
    for (let index = 0; index < 250; index += 1) server.deliver();
    await list(mailbox, { pageSize: 1 });
    const before = server.requests.length;
    expect(await list(mailbox)).toHaveLength(100);
    expect(server.methodsCalled().slice(before - 1)).toEqual([['Email/query', 'Email/get']]);
  });
});

describe('a server that reads fewer emails at a time', () => {
  it.each([
    ['than its session says', { mostRead: 5 }],
    ['as its session says', { limits: { maxObjectsInGet: 5 } }],
  ])('%s, gives whole pages, and is asked for no more again', async (_, content) => {
    const { mailbox, server } = await setUpMailbox(content);
    const ids = Array.from({ length: 30 }, () => server.deliver().id).toReversed();
    expect(await list(mailbox, { pageSize: 25 })).toEqual(ids.slice(0, 25));
    const before = server.requests.length;
    expect(await list(mailbox, { pageSize: 25 })).toEqual(ids.slice(0, 25));
    expect((await mailbox.findEmails(ids)).map(({ id }) => id)).toEqual(ids);
    const later = server.requests.slice(before);
    const sizes = later.flatMap(({ methodCalls = [] }) =>
      methodCalls.flatMap(([, { ids: asked }]) => (Array.isArray(asked) ? [asked.length] : [])),
    );
    expect(Math.max(...sizes)).toBeLessThanOrEqual(5);
    // The list and its emails, and the emails alone.
    expect(later).toHaveLength(3);
    // Where they are it tells of as many as before.
    await mailbox.readBaseline(ids);
    if ('mostRead' in content) expect(server.methodsCalled().at(-1)).toEqual(['Email/get', 'Mailbox/get']);
  });

  it('and finds even one too large, is named, with what it was asked for', async () => {
    const { mailbox, server } = await setUpMailbox({ mostRead: 0 });
    server.deliver();
    const { host } = new URL(server.origin);
    await expect(list(mailbox)).rejects.toMatchObject({
      code: 'failed',
      message: `${host} responded to Email/get with requestTooLarge`,
    });
  });
});

describe('a list', () => {
  it('skips no email and shows none twice while all that it showed are archived, received in one second', async () => {
    const { mailbox, server } = await setUpMailbox();
    const ids = Array.from({ length: 23 }, (_, index) => {
      const receivedAt = index < 15 ? '2026-01-01T00:00:00Z' : '2025-12-31T00:00:00Z';
      return server.deliver({ receivedAt }).id;
    });
    const seen: string[] = [];
    let pageToken: string | undefined;
    do {
      const page = await mailbox.listEmails({ scope: 'inbox', pageSize: 4, pageToken });
      for (const [index, { id }] of page.emails.entries()) {
        seen.push(id);
        // Some stay in the inbox, but never the one that the list would go on after.
        if (index % 2 === 1) server.change(id, { 'mailboxIds/inbox': null, 'mailboxIds/archive': true });
      }
      expect(page.total).toBe(seen.length);
      pageToken = page.nextPageToken ?? undefined;
    } while (pageToken !== undefined);
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  it('leaves out email that is in the trash or spam, or a draft, wherever else it is', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id } = server.deliver();
    for (const hidden of ['trash', 'junk', 'drafts'])
      server.deliver({ mailboxIds: new Set(['inbox', hidden]) });
    server.deliver({ keywords: new Set(['$draft']) });
    expect(await list(mailbox)).toEqual([id]);
    expect(await list(mailbox, { scope: 'all' })).toEqual([id]);
    expect(await mailbox.countEmails('all')).toBe(1);
  });

  it('of a server that counts nothing, and gives fewer than it is asked for, has every email', async () => {
    const { mailbox, server } = await setUpMailbox({ hasTotals: false, mostListed: 3 });
    const ids = Array.from({ length: 8 }, () => server.deliver().id).toReversed();
    expect(await list(mailbox, { scope: 'all' })).toEqual(ids);
    expect(await listIds(mailbox, {})).toEqual(ids);
    expect(await mailbox.listEmails({ scope: 'inbox', pageSize: 8 })).toMatchObject({ total: 8 });
  });

  it('is searched by mailbox, mailing list and day, also where mailboxes may not be nested', async () => {
    for (const refuses of [[], ['nestedMailboxes']] as const) {
      const { mailbox, server } = await setUpMailbox({ refuses });
      const { id: bills } = server.addMailbox({ name: 'Bills' });
      const old = server.deliver({ mailboxIds: new Set([bills]), receivedAt: '2025-12-31T23:00:00Z' });
      const listed = server.deliver({
        headers: [
          ['From', 'a@x.example'],
          ['List-Id', '<dev.lists.example>'],
        ],
      });
      server.deliver({ mailboxIds: new Set([bills, 'trash']) });
      const search = (words: string) => list(mailbox, { scope: 'all', search: words });
      expect(await search('in:bills')).toEqual([old.id]);
      expect(await search('list:dev.lists.example')).toEqual([listed.id]);
      expect(await search('before:2026/01/01')).toEqual([old.id]);
      expect(await search('after:2026/01/01')).toEqual([listed.id]);
      expect(await search('from:nobody OR from:x.example')).toEqual([listed.id]);
      expect(await listIds(mailbox, { scope: 'inbox', search: '-from:nobody' })).toEqual([listed.id]);
    }
  });

  it('refuses a search for one of two mailboxes where they may not be nested', async () => {
    const { mailbox, server } = await setUpMailbox({ refuses: ['nestedMailboxes'] });
    server.addMailbox({ name: 'Bills' });
    const search = list(mailbox, { scope: 'all', search: 'in:bills OR in:inbox' });
    await expect(search).rejects.toMatchObject({ name: 'UnsupportedSearchError', operator: 'in:' });
  });

  it('judges attachments by the parts of the emails', async () => {
    const { mailbox, server } = await setUpMailbox();
    const large = server.deliver({
      size: 4 * MB,
      bodyStructure: multipart(text, file(2 * MB), file(1.5 * MB)),
    });
    const small = server.deliver({ size: 4 * MB, bodyStructure: multipart(text, file(1_000)) });
    const none = server.deliver({ size: 4 * MB });
    expect(await list(mailbox, { largerThanMb: 3 })).toEqual([large.id]);
    expect(await list(mailbox, { largerThanMb: 0 })).toEqual([small.id, large.id]);
    expect(await list(mailbox, { search: 'has:attachment' })).toEqual([small.id, large.id]);
    expect(await list(mailbox, { search: '-has:attachment' })).toEqual([none.id]);
    expect(await listIds(mailbox, { largerThanMb: 3 })).toEqual([large.id]);
    expect(await listIds(mailbox, { search: 'has:attachment' })).toEqual([small.id, large.id]);
  });

  it('goes on to further pages until it is filled, and its token skips none', async () => {
    const { mailbox, server } = await setUpMailbox();
    const wanted: string[] = [];
    for (let index = 0; index < 30; index += 1) {
      const isWanted = index % 5 === 0;
      const { id } = server.deliver({
        size: MB,
        ...(isWanted && { bodyStructure: multipart(text, file(1_000)) }),
      });
      if (isWanted) wanted.unshift(id);
    }
    const query = { scope: 'inbox', pageSize: 4, search: 'has:attachment' } as const;
    const first = await mailbox.listEmails(query);
    const second = await mailbox.listEmails({ ...query, pageToken: first.nextPageToken ?? '' });
    expect([...first.emails, ...second.emails].map(({ id }) => id)).toEqual(wanted);
    expect(second).toMatchObject({ nextPageToken: null, total: 6, totalIsExact: true });
  });

  it('puts emails into categories by what mailing lists and programs say of themselves', async () => {
    const { mailbox, server } = await setUpMailbox();
    const withHeader = (...header: [string, string]) =>
      server.deliver({ headers: [['From', 'a@news.example'], header], keywords: new Set(['$seen']) });
    const primary = server.deliver();
    const personal = withHeader('Auto-Submitted', 'no');
    const updates = withHeader('Auto-Submitted', 'auto-generated');
    const forums = withHeader('List-Id', '<list.example>');
    expect(await list(mailbox, { category: 'primary' })).toEqual([personal.id, primary.id]);
    expect(await list(mailbox, { category: 'updates' })).toEqual([updates.id]);
    expect(await listIds(mailbox, { category: 'forums' })).toEqual([forums.id]);
    expect(await list(mailbox, { category: 'promotions' })).toEqual([]);
    const { categories } = await mailbox.countMailbox();
    expect(new Map(categories.map(({ category, ...count }) => [category, count]))).toEqual(
      new Map([
        ['primary', { total: 2, unread: 1 }],
        ['updates', { total: 1, unread: 0 }],
        ['forums', { total: 1, unread: 0 }],
      ]),
    );
  });

  it.each([{ hasTotals: false }, { hasTotals: false, mostListed: 2 }])(
    'of which the server counts nothing is counted all the same: %j',
    async (content) => {
      const { mailbox, server } = await setUpMailbox(content);
      const { id } = server.deliver({ keywords: new Set(['$seen']) });
      for (let index = 0; index < 4; index += 1) server.deliver();
      server.deliver({
        headers: [
          ['From', 'a@news.example'],
          ['List-Id', '<list.example>'],
        ],
      });
      server.change(id, { 'mailboxIds/inbox': null, 'mailboxIds/archive': true });
      expect(await mailbox.countEmails('all')).toBe(6);
      expect(await mailbox.countEmails('inbox')).toBe(5);
      expect(await mailbox.countMailbox()).toMatchObject({
        inbox: { total: 5, unread: 5 },
        categories: [
          { category: 'updates', total: 0, unread: 0 },
          { category: 'forums', total: 1, unread: 1 },
          { category: 'primary', total: 5, unread: 4 },
        ],
      });
    },
  );

  it('of senders reads From, and of invitations the parts', async () => {
    const { mailbox, server } = await setUpMailbox();
    const from = (value: string) => server.deliver({ headers: [['From', value]] });
    const one = from('Ada <ADA@news.example>');
    const other = from('bob@sub.shop.example');
    from('carl@other.example');
    expect(await listIds(mailbox, { from: ['ada@news.example', 'shop.example'] })).toEqual([
      other.id,
      one.id,
    ]);
    const invitation = server.deliver({ bodyStructure: multipart(text, { type: 'TEXT/Calendar', size: 9 }) });
    expect(await listIds(mailbox, { invitations: true })).toEqual([invitation.id]);
  });

  it('reads emails nested however deep', async () => {
    const { mailbox, server } = await setUpMailbox();
    let tree: object = file(1_000);
    for (let depth = 0; depth < 1_200; depth += 1) tree = multipart(tree);
    const { id } = server.deliver({ size: 4 * MB, bodyStructure: multipart(text, file(2 * MB), tree) });
    expect(await listIds(mailbox, { largerThanMb: 1 })).toEqual([id]);
    expect(await mailbox.findEmails([id])).toMatchObject([{ attachmentSizeMb: 2 }]);
  });

  it('tells the labels of each id', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.deliver({ keywords: new Set(['$seen', '$flagged', 'custom']) });
    const { emails } = await mailbox.listEmailIds({ scope: 'all', labelled: 'starred' }, 10);
    expect(emails).toMatchObject([{ labels: ['INBOX', 'STARRED'] }]);
    expect(await listIds(mailbox, { labelled: 'sent', scope: 'all' })).toEqual([]);
    // What is snoozed or scheduled is in mailboxes that hold no mail.
    expect(await listIds(mailbox, { setAside: true, scope: 'all' })).toEqual([]);
  });

  it.each(['', '1.2', '1.2.a b.', '-1.2.a.', '1.2.a.12345', `1.2.${'a'.repeat(300)}.`])(
    'refuses %j as a page token',
    async (pageToken) => {
      const { mailbox } = await setUpMailbox();
      await expect(list(mailbox, { pageToken })).rejects.toMatchObject({ code: 'invalid_page_token' });
    },
  );
});

describe('an email', () => {
  it('tells the names of its mailboxes, and when it was sent where that is days from when it was received', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id: bills } = server.addMailbox({ name: 'Bills' });
    const receivedAt = '2026-01-05T00:00:00Z';
    const mailboxIds = new Set(['inbox', bills]);
    const { id } = server.deliver({ mailboxIds, receivedAt, sentAt: '2009-02-03T10:00:00+01:00' });
    const soon = server.deliver({ receivedAt, sentAt: '2026-01-04T23:00:00Z' });
    const [first, second] = await mailbox.findEmails([id, soon.id]);
    expect(first).toMatchObject({
      date: '2026-01-05T00:00:00.000Z',
      sentAt: '2009-02-03T09:00:00.000Z',
      mailboxes: ['inbox', 'Bills'],
    });
    expect(second?.sentAt).toBeUndefined();
  });

  it('is what its headers and parts say', async () => {
    const { mailbox, server } = await setUpMailbox();
    const { id } = server.deliver({
      headers: [
        ['From', '=?utf-8?B?w4RkYQ==?= <ada@news.example>'],
        ['Subject', 'Your =?utf-8?Q?=E2=82=AC5?=\r\n invoice'],
      ],
      preview: 'hello\nthere ',
      size: 12_345,
      bodyStructure: multipart(
        text,
        file(1_572_864),
        { type: 'image/png', name: 'logo.png', disposition: 'inline', cid: 'logo', size: 10 },
        { type: 'message/rfc822', disposition: 'attachment', size: 0 },
      ),
    });
    expect(await mailbox.findEmails(['gone', id])).toMatchObject([
      {
        from: 'Äda <ada@news.example>',
        subject: 'Your €5 invoice',
        snippet: 'hello there',
        size: 12_345,
        hasAttachment: true,
        attachmentSizeMb: 1.5,
        isRead: false,
        category: 'primary',
      },
    ]);
  });
});
