import type { EmailQuery } from '@mailsweep/mail/mailbox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toListParameters } from './list-parameters.ts';

const PRIMARY = '-category:promotions -category:social -category:updates -category:forums';

const query = (filters: Partial<EmailQuery> = {}): EmailQuery => ({
  scope: 'inbox',
  pageSize: 25,
  ...filters,
});

describe('a query as list parameters', () => {
  it('reads the inbox by its label, and without one everything that is mail and not set aside', () => {
    expect(toListParameters(query()).toString()).toBe('labelIds=INBOX');
    const all = toListParameters(query({ scope: 'all' }));
    expect([...all]).toEqual([['q', '-in:drafts -in:chats -is:snoozed -in:scheduled']]);
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
    const aside = scope === 'all' ? ' -is:snoozed -in:scheduled' : '';
    expect(parameters.get('q')).toBe(
      `( from:amy OR in:anywhere ) -in:spam -in:trash -in:drafts -in:chats${aside} before:2 ${PRIMARY}`,
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
