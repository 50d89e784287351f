import { describe, expect, it } from 'vitest';
import { SYSTEM_LABELS } from '../../labels.ts';
import { InvalidPageTokenError, type Mailbox } from '../../mailbox.ts';
import { type ContractServer, FIRST_MS, HOUR_MS, useContractUser } from './contract-user.ts';

const { inbox, trash, unread, starred } = SYSTEM_LABELS;

/** Lists, counts and conversations. */
export const describeReading = (openServer: () => Promise<ContractServer>): void => {
  const user = useContractUser(openServer);
  const { deliver, deliverOne, act } = user;

  describe('a list', () => {
    it('shows the newest email first, page by page, each once', async () => {
      const ids = await deliver(7);
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = await user.mailbox.listEmails({ scope: 'inbox', pageSize: 3, pageToken });
        seen.push(...page.emails.map(({ id }) => id));
        expect(page.total).toBe(seen.length);
        pageToken = page.nextPageToken ?? undefined;
        expect(page.totalIsExact).toBe(pageToken === undefined);
      } while (pageToken !== undefined);
      expect(seen).toEqual(ids);
    });

    it('shows what an email is', async () => {
      const id = await deliverOne([unread, starred], {
        subject: 'Grüße 🎉',
        from: 'Bob <bob@example.com>',
      });
      const page = await user.mailbox.listEmails({ scope: 'inbox', pageSize: 10 });
      expect(page).toMatchObject({
        emails: [
          {
            id,
            from: 'Bob <bob@example.com>',
            subject: 'Grüße 🎉',
            date: new Date(FIRST_MS).toISOString(),
            isRead: false,
            hasAttachment: false,
            attachmentSizeMb: 0,
            category: 'primary',
            labels: expect.arrayContaining([inbox, unread, starred]),
          },
        ],
        nextPageToken: null,
        total: 1,
      });
      expect(await user.mailbox.findEmails([id, 'gone'])).toEqual(page.emails);
    });

    it('leaves out what its filters exclude', async () => {
      const [newest = '', read = ''] = await deliver(2);
      await user.server.change(newest, { added: [unread], removed: [] });
      const archived = await deliverOne();
      await user.server.change(archived, { added: [], removed: [inbox] });
      const deleted = await deliverOne();
      await user.server.change(deleted, { added: [trash], removed: [inbox] });
      const list = async (query: Partial<Parameters<Mailbox['listEmails']>[0]>) => {
        const { emails } = await user.mailbox.listEmails({ scope: 'inbox', pageSize: 50, ...query });
        return emails.map(({ id }) => id).toSorted();
      };
      expect(await list({})).toEqual([newest, read].toSorted());
      expect(await list({ unread: true })).toEqual([newest]);
      expect(await list({ scope: 'all' })).toEqual([newest, read, archived].toSorted());
      expect(await list({ receivedBefore: new Date(FIRST_MS) })).toEqual([read]);
      expect(await list({ receivedAfter: new Date(FIRST_MS) })).toEqual([newest]);
      expect(await list({ category: 'promotions' })).toEqual([]);
    });

    it('skips no email and shows none twice while its emails are archived', async () => {
      const ids = await deliver(12);
      const seen: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = await user.mailbox.listEmails({ scope: 'all', pageSize: 4, pageToken });
        const shown = page.emails.map(({ id }) => id);
        seen.push(...shown);
        for (const id of shown) await act(id, { added: [], removed: [inbox] });
        pageToken = page.nextPageToken ?? undefined;
      } while (pageToken !== undefined);
      expect(seen).toEqual(ids);
    });

    it('refuses a page token that is none', async () => {
      await deliver(2);
      const list = user.mailbox.listEmails({ scope: 'inbox', pageSize: 1, pageToken: '1.nonsense' });
      await expect(list).rejects.toThrow(InvalidPageTokenError);
    });

    it('tells all ids of a query, and whether there are more', async () => {
      const ids = await deliver(5);
      const all = await user.mailbox.listEmailIds({ scope: 'inbox' }, 100);
      expect(all.emails.map(({ id }) => id)).toEqual(ids);
      expect(all.isComplete).toBe(true);
      const first = await user.mailbox.listEmailIds({ scope: 'inbox' }, 2);
      expect(first.emails.map(({ id }) => id)).toEqual(ids.slice(0, 2));
      expect(first.isComplete).toBe(false);
      await user.server.change(ids[3] ?? '', { added: [starred], removed: [] });
      const marked = await user.mailbox.listEmailIds({ scope: 'inbox', labelled: 'starred' }, 100);
      expect(marked.emails.map(({ id }) => id)).toEqual([ids[3]]);
    });
  });

  it('counts the emails of the inbox and the unread ones, and lists the others', async () => {
    const [newest = ''] = await deliver(3);
    await user.server.change(newest, { added: [unread], removed: [] });
    const archived = await deliverOne();
    await user.server.change(archived, { added: [], removed: [inbox] });
    expect(await user.mailbox.countInbox()).toEqual({ total: 3, unread: 1 });
    expect(await user.mailbox.countMailbox()).toMatchObject({ inbox: { total: 3, unread: 1 } });
    expect(await user.mailbox.countEmails('inbox')).toBe(3);
    const listWithout = async (...without: ('inbox' | 'unread')[]) =>
      (await user.mailbox.listEmailIds({ scope: 'all', without }, 100)).emails.map(({ id }) => id);
    expect(await listWithout('inbox')).toEqual([archived]);
    const read = await listWithout('unread');
    expect(read).toHaveLength(3);
    expect(read).not.toContain(newest);
    expect(await listWithout('inbox', 'unread')).toEqual([archived]);
  });

  it('has emails in the categories that it says it has, and counts those', async () => {
    await deliver(2);
    const { categories } = await user.mailbox.readCapabilities();
    const counted = (await user.mailbox.countMailbox()).categories.map(({ category }) => category);
    expect(counted.toSorted()).toEqual(categories.toSorted());
    const { emails } = await user.mailbox.listEmails({ scope: 'all', pageSize: 50 });
    for (const { category } of emails) expect(categories).toContain(category);
  });

  it('reads a conversation, newest first', async () => {
    const question = await deliverOne();
    const reply = await deliverOne([], { replyTo: question, receivedAt: new Date(FIRST_MS + HOUR_MS) });
    const archived = await deliverOne([], { replyTo: question });
    await user.server.change(archived, { added: [], removed: [inbox] });
    const [email] = await user.mailbox.findEmails([question]);
    const conversation = await user.mailbox.readConversation(email?.threadId ?? '');
    expect(conversation.emails.map(({ id }) => id)).toEqual([reply, question]);
    expect(conversation.otherMessages).toBe(1);
    await expect(user.mailbox.readConversation('none')).rejects.toMatchObject({ code: 'not_found' });
  });
};
