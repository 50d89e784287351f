import { EmailSchema } from '@mailsweep/contracts';
import { toEmail } from '@mailsweep/mail/mailbox';
import { anyText } from '@mailsweep/mail/mailbox/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../gmail-requests.ts';
import { toMessageFacts } from './to-message-facts.ts';

const read = (message: Message) => toEmail(message.id, toMessageFacts(message), message.labelIds ?? []);

const fullMessage: Message = {
  id: 'm1',
  threadId: 't1',
  labelIds: ['INBOX', 'UNREAD', 'CATEGORY_UPDATES'],
  snippet: 'It&#39;s here &amp; paid',
  internalDate: '1767225600000',
  sizeEstimate: 2_200_000,
  payload: {
    mimeType: 'multipart/mixed',
    headers: [
      { name: 'From', value: '=?utf-8?B?w4RkYQ==?= <ada@example.com>' },
      { name: 'Subject', value: 'Your =?utf-8?Q?=E2=82=AC5?= invoice' },
      { name: 'Date', value: 'Mon, 1 Jan 2001 00:00:00 +0000' },
    ],
    parts: [
      { mimeType: 'text/plain', body: { size: 200 } },
      { mimeType: 'application/pdf', filename: 'i.pdf', body: { size: 1_572_864, attachmentId: 'a' } },
    ],
  },
};

const attachmentOf = (size: number): Message => ({
  id: 'm1',
  payload: { mimeType: 'application/pdf', filename: 'a.pdf', body: { size } },
});

describe('a Gmail message as an email', () => {
  it('has every field filled from the message', () => {
    expect(read(fullMessage)).toEqual({
      attachmentBytes: 1_572_864,
      email: {
        id: 'm1',
        from: 'Äda <ada@example.com>',
        subject: 'Your €5 invoice',
        date: '2026-01-01T00:00:00.000Z',
        sentAt: '2001-01-01T00:00:00.000Z',
        labels: ['INBOX', 'UNREAD', 'CATEGORY_UPDATES'],
        isRead: false,
        attachmentSizeMb: 1.5,
        category: 'updates',
        snippet: "It's here & paid",
        hasAttachment: true,
        size: 2_200_000,
        threadId: 't1',
      },
    });
  });

  it('has empty fields for whatever is missing', () => {
    expect(read({ id: 'm1' }).email).toEqual({
      id: 'm1',
      from: '',
      subject: '',
      date: '1970-01-01T00:00:00.000Z',
      labels: [],
      isRead: true,
      attachmentSizeMb: 0,
      category: 'primary',
      snippet: '',
      hasAttachment: false,
      size: 0,
      isSenderUnclear: true,
      threadId: 'm1',
    });
  });

  it('shows 1970 for an internal date that cannot be read, whatever the Date header says', () => {
    expect(read({ ...fullMessage, internalDate: 'never' }).email.date).toBe('1970-01-01T00:00:00.000Z');
  });

  it('shows attachment sizes in MB of 1,048,576 bytes with three decimals', () => {
    expect(read(attachmentOf(1_048_576)).email.attachmentSizeMb).toBe(1);
    expect(read(attachmentOf(1_300_000)).email.attachmentSizeMb).toBe(1.24);
    expect(read(attachmentOf(12_345_678)).email.attachmentSizeMb).toBe(11.774);
  });

  it.each([
    ['a calendar file', { mimeType: 'application/octet-stream', filename: 'Invite.ICS' }, true],
    ['a calendar object without a file name', { mimeType: 'Text/Calendar' }, true],
    ['another file', { mimeType: 'application/pdf', filename: 'ics.pdf' }, false],
    [
      'a mail with a calendar file, attached as a file',
      {
        mimeType: 'message/rfc822',
        filename: 'forwarded.eml',
        body: { attachmentId: 'a' },
        parts: [{ mimeType: 'text/calendar', filename: 'invite.ics' }],
      },
      false,
    ],
  ])('is known as an invitation by a calendar part: %s', (_name, part, isInvitation) => {
    const payload = {
      mimeType: 'multipart/mixed',
      parts: [{ mimeType: 'multipart/alternative', parts: [part] }],
    };
    expect(toMessageFacts({ id: 'm1', payload }).isInvitation).toBe(isInvitation);
  });

  it('has the other addresses that it was sent to, and that of its mailing list', () => {
    const headers = [
      { name: 'From', value: 'Ada <ada@example.com>' },
      { name: 'To', value: '"Bob, B." <Bob@Work.example>, Ada <ada@example.com>' },
      { name: 'CC', value: 'dev@lists.example' },
      { name: 'List-ID', value: 'Developers <Dev.lists.example>' },
    ];
    expect(toMessageFacts({ id: 'm1', payload: { headers } })).toMatchObject({
      recipients: ['bob@work.example', 'dev@lists.example'],
      listAddress: 'dev@lists.example',
    });
  });

  it.each([
    ['unsubscribe', 'news@shop.example', []],
    ['Unsubscribe me from your list, please', 'news@shop.example', []],
    ['Re: How do I unsubscribe?', 'news@shop.example', ['news@shop.example']],
    ['Hello', 'No-Reply@shop.example, noreply+1@shop.example, do_not_reply@shop.example', []],
    [
      'Hello',
      'no-replying@shop.example, bob+work@shop.example',
      ['no-replying@shop.example', 'bob+work@shop.example'],
    ],
  ])('“%s” to %s is written to %j', (subject, to, recipients) => {
    const headers = [
      { name: 'From', value: 'ada@example.com' },
      { name: 'To', value: to },
      { name: 'Subject', value: subject },
    ];
    expect(toMessageFacts({ id: 'm1', payload: { headers } }).recipients).toEqual(recipients);
  });

  it('comes by no list where it is the author who has its address', () => {
    const headers = [
      { name: 'From', value: 'News <News@letters.example>' },
      { name: 'List-Id', value: '<news.letters.example>' },
    ];
    expect(toMessageFacts({ id: 'm1', payload: { headers } }).listAddress).toBeUndefined();
  });

  it('never shows an attachment that has bytes as nothing', () => {
    expect(read(attachmentOf(1)).email).toMatchObject({ attachmentSizeMb: 0.001, hasAttachment: true });
    expect(read(attachmentOf(0)).email).toMatchObject({ attachmentSizeMb: 0, hasAttachment: true });
  });

  it('cuts subject, sender and snippet', () => {
    const long = 'x'.repeat(100_000);
    const headers = ['From', 'Subject'].map((name) => ({ name, value: long }));
    const { email } = read({ id: 'm1', snippet: long, payload: { headers } });
    expect([email.subject.length, email.from.length, email.snippet.length]).toEqual([998, 512, 1_000]);
  });

  it('keeps to the contract and is safe to store, whatever the mail holds', () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, anyText, (subject, from, snippet, internalDate) => {
        const headers = [
          { name: 'Subject', value: subject },
          { name: 'From', value: from },
        ];
        const { email } = read({ id: 'm1', snippet, internalDate, payload: { headers } });
        expect(EmailSchema.safeParse(email).success).toBe(true);
        const stored = `${email.subject}${email.from}${email.snippet}`;
        expect(stored.isWellFormed()).toBe(true);
        expect(stored).not.toMatch(/\p{Cc}/u);
      }),
    );
  });
});
