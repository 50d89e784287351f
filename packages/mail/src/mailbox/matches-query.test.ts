import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import { describe, expect, it } from 'vitest';
import type { EmailQuery } from './mailbox.ts';
import { matchesQuery } from './matches-query.ts';
import type { ReadEmail } from './message/message-facts.ts';

const query = (filters: Partial<EmailQuery> = {}): EmailQuery => ({
  scope: 'inbox',
  pageSize: 25,
  ...filters,
});

const read = (email: Partial<Email> = {}, attachmentBytes = 0): ReadEmail => ({
  email: {
    id: 'm1',
    from: 'ada@example.com',
    subject: 's',
    date: '2026-01-01T00:00:00.000Z',
    labels: ['INBOX'],
    isRead: true,
    attachmentSizeMb: 0,
    category: 'primary',
    snippet: '',
    hasAttachment: false,
    size: 1,
    ...email,
  },
  attachmentBytes,
});

describe('matching a query', () => {
  it('never takes spam or trash', () => {
    expect(matchesQuery(read({ labels: ['INBOX', 'SPAM'] }), query())).toBe(false);
    expect(matchesQuery(read({ labels: ['TRASH'] }), query({ scope: 'all' }))).toBe(false);
  });

  it.each(['DRAFT', 'CHAT'])('never takes a message with the label %s', (label) => {
    expect(matchesQuery(read({ labels: ['INBOX', label] }), query())).toBe(false);
    expect(matchesQuery(read({ labels: [label] }), query({ scope: 'all' }))).toBe(false);
  });

  it('takes mail outside the inbox only when everything is asked for', () => {
    expect(matchesQuery(read({ labels: [] }), query())).toBe(false);
    expect(matchesQuery(read({ labels: [] }), query({ scope: 'all' }))).toBe(true);
  });

  it('takes read mail unless only unread is asked for', () => {
    expect(matchesQuery(read(), query({ unread: true }))).toBe(false);
    expect(matchesQuery(read({ labels: ['INBOX', 'UNREAD'] }), query({ unread: true }))).toBe(true);
    expect(matchesQuery(read(), query({ unread: false }))).toBe(true);
  });

  it('takes only the category asked for', () => {
    expect(matchesQuery(read({ category: 'social' }), query({ category: 'social' }))).toBe(true);
    expect(matchesQuery(read({ category: 'social' }), query({ category: 'primary' }))).toBe(false);
  });

  it('takes mail received before the instant, to the millisecond', () => {
    const receivedBefore = new Date('2026-01-01T00:00:00.500Z');
    expect(matchesQuery(read({ date: '2026-01-01T00:00:00.499Z' }), query({ receivedBefore }))).toBe(true);
    expect(matchesQuery(read({ date: '2026-01-01T00:00:00.500Z' }), query({ receivedBefore }))).toBe(false);
  });

  it('takes attachments strictly larger than N MB, to the byte', () => {
    expect(matchesQuery(read({}, 2 * BYTES_PER_MB), query({ largerThanMb: 2 }))).toBe(false);
    expect(matchesQuery(read({}, 2 * BYTES_PER_MB + 1), query({ largerThanMb: 2 }))).toBe(true);
    expect(matchesQuery(read({}, 0), query({ largerThanMb: 0 }))).toBe(false);
    expect(matchesQuery(read({}, 1), query({ largerThanMb: 0 }))).toBe(true);
  });
});
