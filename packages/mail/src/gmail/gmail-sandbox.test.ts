import { startTestGmail, type TestGmail, type TestMessage } from '@mailsweep/google-sandbox/testing/gmail';
import type { Mailbox } from '@mailsweep/mail/mailbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGmailMailbox } from './gmail-mailbox.ts';

const seedMessage = (
  id: string,
  labels: string[],
  hoursAgo: number,
  fields: Partial<TestMessage> = {},
): TestMessage => ({
  id,
  labels,
  receivedAtMs: Date.UTC(2026, 0, 1) - hoursAgo * 3_600_000,
  ...fields,
});

const FILE = { filename: 'big.csv', mimeType: 'text/csv', sizeBytes: 2_000_000, isInline: false };

const MESSAGES = [
  seedMessage('m1', ['INBOX', 'UNREAD', 'CATEGORY_PROMOTIONS'], 1),
  seedMessage('m2', ['INBOX', 'CATEGORY_UPDATES'], 2),
  seedMessage('m3', ['INBOX', 'UNREAD'], 3, { attachments: [FILE] }),
  seedMessage('m4', ['UNREAD'], 4),
  seedMessage('m5', ['TRASH'], 5),
];

describe('a mailbox at the Google sandbox', () => {
  let gmail: TestGmail;
  let mailbox: Mailbox;

  const listIds = async (filters: Partial<Parameters<Mailbox['listEmails']>[0]>): Promise<string[]> => {
    const page = await mailbox.listEmails({ scope: 'inbox', pageSize: 10, ...filters });
    return page.emails.map(({ id }) => id);
  };

  beforeAll(async () => {
    gmail = await startTestGmail({ messages: MESSAGES });
    mailbox = createGmailMailbox({
      baseUrl: gmail.url,
      accessTokens: { current: async () => 'token', renew: async () => 'token' },
    });
  });
  afterAll(() => gmail.close());

  it('lists the inbox with its fields', async () => {
    const page = await mailbox.listEmails({ scope: 'inbox', pageSize: 10 });
    expect(page).toMatchObject({ nextPageToken: null, total: 3 });
    expect(page.emails[0]).toMatchObject({
      id: 'm1',
      from: 'Shop <news@shop.example>',
      subject: 'Subject of m1',
      date: '2025-12-31T23:00:00.000Z',
      isRead: false,
      category: 'promotions',
      hasAttachment: false,
    });
    expect(page.emails[2]).toMatchObject({ id: 'm3', hasAttachment: true, attachmentSizeMb: 1.907 });
  });

  it('lists by category, age and unread state', async () => {
    expect(await listIds({ category: 'updates' })).toEqual(['m2']);
    expect(await listIds({ receivedBefore: new Date('2025-12-31T22:30:00Z') })).toEqual(['m2', 'm3']);
    expect(await listIds({ unread: true })).toEqual(['m1', 'm3']);
    expect(await listIds({ largerThanMb: 0 })).toEqual(['m3']);
  });

  it('leads from page to page', async () => {
    const first = await mailbox.listEmails({ scope: 'inbox', pageSize: 2 });
    expect(first).toMatchObject({ emails: [{ id: 'm1' }, { id: 'm2' }], total: 2, totalIsExact: false });
    expect(await listIds({ pageSize: 2, pageToken: first.nextPageToken ?? '' })).toEqual(['m3']);
  });

  it('moves mail to the trash and back, and reports what is not there', async () => {
    const trash = ['m2', 'nope'].map((id) => ({ id, added: ['TRASH'], removed: ['INBOX'] }));
    expect(await mailbox.changeLabels(trash, '1')).toMatchObject([
      { id: 'm2', status: 'ok' },
      { id: 'nope', status: 'error', error: { code: 'not_found' } },
    ]);
    expect(await listIds({ scope: 'all' })).not.toContain('m2');
    await mailbox.changeLabels([{ id: 'm2', added: ['INBOX'], removed: ['TRASH'] }], '1');
    expect(await listIds({ category: 'updates' })).toContain('m2');
  });

  it('creates a label once and puts it on a message', async () => {
    const findLabel = async (name: string) =>
      (await mailbox.findOrCreateLabels([name], { perCall: 1, inTotal: 1, prefix: '' })).get(name);
    const found = await findLabel('Mailsweep/bulk');
    expect(await findLabel('mailsweep/BULK')).toEqual(found);
    const id = found && 'id' in found ? found.id : '';
    await mailbox.changeLabels([{ id: 'm1', added: [id], removed: [] }], '1');
    const { emails } = await mailbox.listEmails({ scope: 'inbox', pageSize: 1 });
    expect(emails).toMatchObject([{ id: 'm1', labels: expect.arrayContaining([id]) }]);
  });
});
