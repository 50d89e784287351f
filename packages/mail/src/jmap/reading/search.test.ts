import { MailSearchSchema } from '@mailsweep/contracts';
import { UnsupportedSearchError } from '@mailsweep/mail/mailbox';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { translateSearch } from './search.ts';

const NOW_MS = Date.UTC(2026, 0, 31);
const MAILBOXES = new Map([
  ['inbox', 'box-1'],
  ['my bills', 'box-2'],
]);
const findMailbox = (name: string) => MAILBOXES.get(name);
const translate = (search: string) => translateSearch(search, { nowMs: NOW_MS, findMailbox });

describe('a search', () => {
  it.each([
    ['hello world', [{ text: 'hello' }, { text: 'world' }]],
    ['"hello world"', [{ text: '"hello world"' }]],
    ['from:ada@news.example', [{ from: 'ada@news.example' }]],
    ['FROM:"Ada L"', [{ from: '"Ada L"' }]],
    ['to:bob subject:bill', [{ to: 'bob' }, { subject: 'bill' }]],
    ['subject:(bill paid)', [{ operator: 'AND', conditions: [{ subject: 'bill' }, { subject: 'paid' }] }]],
    [
      'from:(a OR b)',
      [{ operator: 'AND', conditions: [{ operator: 'OR', conditions: [{ from: 'a' }, { from: 'b' }] }] }],
    ],
    ['a OR b c', [{ operator: 'OR', conditions: [{ text: 'a' }, { text: 'b' }] }, { text: 'c' }]],
    ['a AND b', [{ text: 'a' }, { text: 'b' }]],
    ['{a b}', [{ operator: 'OR', conditions: [{ text: 'a' }, { text: 'b' }] }]],
    ['-spam', [{ operator: 'NOT', conditions: [{ text: 'spam' }] }]],
    ['-from:a', [{ operator: 'NOT', conditions: [{ from: 'a' }] }]],
    [
      '-(a b)',
      [{ operator: 'NOT', conditions: [{ operator: 'AND', conditions: [{ text: 'a' }, { text: 'b' }] }] }],
    ],
    [
      'is:unread is:read is:starred is:important',
      [
        { notKeyword: '$seen' },
        { hasKeyword: '$seen' },
        { hasKeyword: '$flagged' },
        { hasKeyword: '$important' },
      ],
    ],
    ['larger:5M larger:10kb larger:7', [{ minSize: 5_242_880 }, { minSize: 10_240 }, { minSize: 7 }]],
    ['older_than:30d', [{ before: '2026-01-01T00:00:00Z' }]],
    ['older_than:1y', [{ before: '2025-01-31T00:00:00Z' }]],
    ['newer_than:30d', [{ after: '2025-12-31T23:59:59Z' }]],
    ['before:2026/01/05', [{ before: '2026-01-05T00:00:00Z' }]],
    ['after:2026-1-5', [{ after: '2026-01-04T23:59:59Z' }]],
    ['before:1767225600', [{ before: '2026-01-01T00:00:00Z' }]],
    ['list:dev@lists.example', [{ header: ['List-Id', 'dev@lists.example'] }]],
    ['in:Inbox in:"My Bills" in:anywhere', [{ inMailbox: 'box-1' }, { inMailbox: 'box-2' }, {}]],
    ['-in:inbox', [{ operator: 'NOT', conditions: [{ inMailbox: 'box-1' }] }]],
    ['https://news.example/a', [{ text: 'https://news.example/a' }]],
    ['well-known', [{ text: 'well-known' }]],
  ])('%s', (search, conditions) => {
    expect(translate(search)).toEqual({ conditions, hasAttachment: undefined });
  });

  it.each([
    ['has:attachment bill', true],
    ['bill -has:attachment', false],
  ])('leaves attachments to be judged by the emails: %s', (search, hasAttachment) => {
    expect(translate(search)).toEqual({ conditions: [{ text: 'bill' }], hasAttachment });
  });

  it.each([
    ['label:bills', 'label:'],
    ['in:nowhere', 'in:'],
    ['before:yesterday', 'before:'],
    ['after:2026-02-30', 'after:'],
    ['filename:ics', 'filename:'],
    ['-category:social', 'category:'],
    ['is:snoozed', 'is:'],
    ['has:drive', 'has:'],
    ['older_than:soon', 'older_than:'],
    ['a OR has:attachment', 'has:attachment'],
    ['has:attachment OR a', 'has:attachment'],
    ['(has:attachment)', 'has:attachment'],
    ['from:(to:a)', 'to:'],
    ['constructor:a', 'constructor:'],
    ['__proto__:a', '__proto__:'],
    ['is:constructor', 'is:'],
  ])('with an operator that JMAP has not is refused by name: %s', (search, operator) => {
    const known =
      'from: to: subject: is: larger: list: before: after: older_than: newer_than: in: has:attachment';
    expect(() => translate(search)).toThrow(new UnsupportedSearchError(operator, known.split(' ')));
  });

  it('is translated or refused, whatever passes the schema', () => {
    const part = fc.constantFrom(
      'a',
      '"b c"',
      '(',
      ')',
      '{',
      '}',
      '-',
      'OR',
      'AND',
      'from:',
      'is:unread',
      ':',
      ' ',
      'has:attachment',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        const search = MailSearchSchema.safeParse(parts.join('')).data;
        if (search === undefined) return;
        try {
          expect(Array.isArray(translate(search).conditions)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(UnsupportedSearchError);
        }
      }),
    );
  });
});
