import type { EmailIdQuery, Mailbox } from '@mailsweep/mailbox';
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

  it('is empty in an account without an inbox', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.deliver();
    server.mailboxes.delete('inbox');
    expect(await list(mailbox)).toEqual([]);
    expect(await mailbox.countInbox()).toEqual({ total: 0, unread: 0 });
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

  it('tells the labels of each id', async () => {
    const { mailbox, server } = await setUpMailbox();
    server.deliver({ keywords: new Set(['$seen', '$flagged', 'custom']) });
    const { emails } = await mailbox.listEmailIds({ scope: 'all', labelled: 'starred' }, 10);
    expect(emails).toMatchObject([{ labels: ['INBOX', 'STARRED'] }]);
    expect(await listIds(mailbox, { labelled: 'sent', scope: 'all' })).toEqual([]);
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
