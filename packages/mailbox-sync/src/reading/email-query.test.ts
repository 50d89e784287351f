import { BYTES_PER_MB, type Email } from '@mailsweep/contracts';
import type { ReadEmail } from '@mailsweep/gmail';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EmailQuery } from '../mailbox.ts';
import { matchesQuery, toListParameters } from './email-query.ts';

const PRIMARY = '-category:promotions -category:social -category:updates -category:forums';

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

describe('a query as list parameters', () => {
  it('reads the inbox by its label, and everything but drafts and chats without one', () => {
    expect(toListParameters(query()).toString()).toBe('labelIds=INBOX');
    const all = toListParameters(query({ scope: 'all' }));
    expect([...all]).toEqual([['q', '-in:drafts -in:chats']]);
  });

  it('asks for unread mail by label, and for all mail when unread is false', () => {
    expect(toListParameters(query({ unread: true })).getAll('labelIds')).toEqual(['INBOX', 'UNREAD']);
    expect(toListParameters(query({ unread: false })).getAll('labelIds')).toEqual(['INBOX']);
  });

  it.each([
    ['promotions', 'CATEGORY_PROMOTIONS'],
    ['social', 'CATEGORY_SOCIAL'],
    ['updates', 'CATEGORY_UPDATES'],
    ['forums', 'CATEGORY_FORUMS'],
  ] as const)('asks for %s by label', (category, label) => {
    const parameters = toListParameters(query({ category }));
    expect(parameters.getAll('labelIds')).toEqual(['INBOX', label]);
    expect(parameters.has('q')).toBe(false);
  });

  it.each(['inbox', 'all'] as const)('puts a search into a group of its own, in scope %s', (scope) => {
    const parameters = toListParameters(
      query({
        scope,
        search: 'from:amy OR in:anywhere',
        category: 'primary',
        receivedBefore: new Date(2_000),
      }),
    );
    expect(parameters.get('q')).toBe(
      `( from:amy OR in:anywhere ) -in:spam -in:trash -in:drafts -in:chats before:2 ${PRIMARY}`,
    );
    expect(parameters.getAll('labelIds')).toEqual(scope === 'inbox' ? ['INBOX'] : []);
  });

  it('asks for primary mail by the absence of the other categories, as it need not carry a label', () => {
    const parameters = toListParameters(query({ category: 'primary' }));
    expect(parameters.getAll('labelIds')).toEqual(['INBOX']);
    expect(parameters.get('q')).toBe(PRIMARY);
  });

  it('asks for mail larger than its attachments must be, or with any attachment', () => {
    expect(toListParameters(query({ largerThanMb: 5 })).get('q')).toBe('larger:5242880');
    expect(toListParameters(query({ largerThanMb: 0 })).get('q')).toBe('has:attachment');
  });

  it('puts all search terms into one query', () => {
    const receivedBefore = new Date('2026-01-01T00:00:00.000Z');
    const parameters = toListParameters(query({ receivedBefore, category: 'primary', largerThanMb: 1 }));
    expect(parameters.get('q')).toBe(`before:1767225600 ${PRIMARY} larger:1048576`);
  });

  it('never bounds the date so that matching mail is left out', () => {
    const instant = fc.date({
      min: new Date('1900-01-01'),
      max: new Date('2100-01-01'),
      noInvalidDate: true,
    });
    fc.assert(
      fc.property(instant, fc.integer({ min: 1, max: 100_000 }), (receivedBefore, olderByMs) => {
        const beforeSeconds = Number(
          toListParameters(query({ receivedBefore })).get('q')?.slice('before:'.length),
        );
        expect(beforeSeconds).toBeGreaterThan(0);
        expect(receivedBefore.getTime() - olderByMs).toBeLessThan(beforeSeconds * 1_000);
      }),
    );
  });
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
    expect(matchesQuery(read({ isRead: true }), query({ unread: true }))).toBe(false);
    expect(matchesQuery(read({ isRead: false }), query({ unread: true }))).toBe(true);
    expect(matchesQuery(read({ isRead: true }), query({ unread: false }))).toBe(true);
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
