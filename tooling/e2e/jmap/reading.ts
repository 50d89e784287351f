import { beforeAll, describe, expect, test } from 'vitest';
import type { JmapUser } from './jmap-users.ts';

const DAY_MS = 24 * 3_600_000;
const FRIEND = 'Amy <amy@friends.example>';
/** Over a megabyte once it is decoded. */
const FILE = `${'A'.repeat(76)}\r\n`.repeat(26_000);

const WITH_FILE = {
  'MIME-Version': '1.0',
  'Content-Type': 'multipart/mixed; boundary=b',
};
const toParts = (file: string) =>
  [
    '--b',
    'Content-Type: text/plain',
    '',
    'hello',
    '--b',
    'Content-Type: application/pdf; name="photos.pdf"',
    'Content-Disposition: attachment; filename="photos.pdf"',
    'Content-Transfer-Encoding: base64',
    '',
    file,
    '--b--',
  ].join('\r\n');

type EmailsQuery = NonNullable<Parameters<JmapUser['client']['listEmails']>[0]>['query'];

/** Lists, searches and conversations. */
export const describeReading = (open: () => Promise<JmapUser>) =>
  describe('reading', () => {
    const list = async (query: EmailsQuery) => {
      const { emails } = await user.client.listEmails({ query: { pageSize: 50, ...query } });
      return new Set(emails.map(({ id }) => Object.entries(ids).find(([, known]) => known === id)?.[0]));
    };

    test('lists by every filter', async () => {
      expect(await list({})).toEqual(new Set(['forum', 'update', 'large', 'dinner', 'answer', 'old']));
      expect(await list({ scope: 'all' })).toEqual(
        new Set(['forum', 'update', 'large', 'dinner', 'answer', 'old', 'archived', 'sent']),
      );
      expect(await list({ unread: true })).toEqual(new Set(['forum', 'update', 'large', 'answer']));
      expect(await list({ category: 'forums' })).toEqual(new Set(['forum']));
      expect(await list({ category: 'updates' })).toEqual(new Set(['update']));
      expect(await list({ category: 'primary' })).toEqual(new Set(['large', 'dinner', 'answer', 'old']));
      expect(await list({ category: 'promotions' })).toEqual(new Set());
      expect(await list({ olderThan: 365 })).toEqual(new Set(['old']));
      expect(await list({ minAttachmentSize: 1 })).toEqual(new Set(['large']));
      expect(await list({ unread: true, olderThan: 1, category: 'primary' })).toEqual(new Set(['answer']));
    });

    test('walks all pages without an email missing or appearing twice', async () => {
      const found: string[] = [];
      let pageToken: string | undefined;
      do {
        const page = await user.client.listEmails({
          query: { scope: 'all', pageSize: 3, ...(pageToken && { pageToken }) },
        });
        found.push(...page.emails.map(({ id }) => id));
        pageToken = page.nextPageToken ?? undefined;
      } while (pageToken !== undefined);
      expect(found).toHaveLength(8);
      expect(new Set(found).size).toBe(8);
    });

    test('searches, once the server has indexed what arrived', async () => {
      await expect.poll(() => list({ search: 'from:amy' })).toEqual(new Set(['dinner', 'answer']));
      expect(await list({ search: 'is:starred' })).toEqual(new Set(['old']));
      expect(await list({ search: 'has:attachment' })).toEqual(new Set(['large']));
      expect(await list({ search: 'larger:1M' })).toEqual(new Set(['large']));
      expect(await list({ search: 'older_than:1y' })).toEqual(new Set(['old']));
      expect(await list({ search: 'subject:"dinner tonight" -is:unread' })).toEqual(new Set(['dinner']));
      expect(await list({ search: 'is:starred OR from:amy' })).toEqual(new Set(['old', 'dinner', 'answer']));
      expect(await list({ search: 'in:inbox is:starred OR from:amy' })).toEqual(
        await list({ search: 'is:starred OR from:amy' }),
      );
      await expect(list({ search: 'filename:ics' })).rejects.toMatchObject({ status: 400 });
    });

    test('shows a conversation with what the user wrote', async () => {
      const { emails } = await user.client.listEmails({ query: { pageSize: 50 } });
      const threadId = emails.find(({ id }) => id === ids.dinner)?.threadId ?? '';
      const conversation = await user.client.readConversation({ params: { threadId } });
      expect(conversation.emails.map(({ id, subject }) => [id, subject])).toEqual([
        [ids.answer, 'Re: Dinner tonight? 🍝'],
        [ids.dinner, 'Dinner tonight? 🍝'],
      ]);
      expect(conversation.otherMessages).toBe(1);
    });

    let user: JmapUser;
    const ids: Record<string, string> = {};
    beforeAll(async () => {
      user = await open();
      const { account } = user;
      const daysAgo = (days: number) => new Date(Math.floor(Date.now() / 1_000) * 1_000 - days * DAY_MS);
      const email = {
        labels: ['INBOX'],
        from: FRIEND,
        subject: 'Dinner tonight? 🍝',
        receivedAt: daysAgo(5),
      };
      ids.dinner = await account.deliver(email);
      const reply = { ...email, subject: 'Re: Dinner tonight? 🍝', replyTo: ids.dinner };
      ids.sent = await account.deliver({
        ...reply,
        labels: ['SENT'],
        from: 'Me <me@own.example>',
        receivedAt: daysAgo(4),
      });
      ids.answer = await account.deliver({ ...reply, labels: ['INBOX', 'UNREAD'], receivedAt: daysAgo(3) });
      const other = { from: 'Bob <bob@work.example>', subject: 'Minutes' };
      ids.old = await account.deliver({ ...other, labels: ['INBOX', 'STARRED'], receivedAt: daysAgo(400) });
      const archive = (await user.readMailboxes()).get('Archive');
      ids.archived = await account.deliver({ ...other, labels: [`mbx:${archive}`], receivedAt: daysAgo(20) });
      const from = { From: 'Carol <carol@lists.example>', Date: 'Fri, 02 Jan 2026 10:00:00 +0000' };
      ids.forum = await user.receive({ ...from, Subject: 'List', 'List-Id': '<people.lists.example>' });
      ids.update = await user.receive({ ...from, Subject: 'Alert', 'Auto-Submitted': 'auto-generated' });
      ids.large = await user.receive({ ...from, Subject: 'Photos', ...WITH_FILE }, toParts(FILE));
    });
  });
