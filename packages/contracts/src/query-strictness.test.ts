import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListEmailsQuerySchema, ListSuggestionsQuerySchema } from './emails/email-query.ts';
import { MailSearchSchema } from './emails/mail-search.ts';
import {
  ListNotificationEventsQuerySchema,
  NotificationSummaryQuerySchema,
} from './history/record-queries.ts';
import { PaginationQuerySchema } from './values/pagination.ts';

const faultyPaths = (schema: typeof ListEmailsQuerySchema | typeof PaginationQuerySchema, query: unknown) =>
  schema.safeParse(query).error?.issues.map((issue) => issue.path.join('.'));

describe('booleans in a query', () => {
  it('reads the word false as false and the word true as true', () => {
    expect(ListEmailsQuerySchema.parse({ unread: 'false' }).unread).toBe(false);
    expect(ListEmailsQuerySchema.parse({ unread: 'true' }).unread).toBe(true);
  });

  it.each(['', '0', '1', 'yes', 'TRUE', 'False', ' true', 'null'])(
    'refuses %j and names the field',
    (word) => {
      expect(faultyPaths(ListEmailsQuerySchema, { unread: word })).toEqual(['unread']);
    },
  );
});

describe('a search', () => {
  it.each([
    ['from:amy subject:"dinner (tonight)"', 'from:amy subject:"dinner tonight "'],
    ['“phone keyboard”', '"phone keyboard"'],
    ['  two\n\twords ', 'two words'],
    ['{from:amy from:(bob OR eve)} -(in:trash)', '{from:amy from:(bob OR eve)} -(in:trash)'],
  ])('%j is read as %j', (search, read) => {
    expect(MailSearchSchema.parse(search).replaceAll('  ', ' ')).toBe(read);
  });

  it.each([
    '',
    ' ',
    'x'.repeat(501),
    '(from:amy',
    'from:amy)',
    ') OR in:trash (',
    '({)}',
    '"open',
    'a"b"c"',
    'from:',
    '(from: ) b',
    'amy OR',
    '(amy -)',
  ])('refuses %j and names the field', (search) => {
    expect(faultyPaths(ListEmailsQuerySchema, { search })).toEqual(['search']);
  });

  it('stays within parentheses around it, whether or not quotation marks count', () => {
    const text = fc
      .array(fc.constantFrom('(', ')', '{', '}', '"', '“', ' ', 'a', 'from:', 'OR', '-'), { maxLength: 14 })
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (search) => {
        const { data } = MailSearchSchema.safeParse(search);
        if (data === undefined) return;
        const group = `( ${data} )`;
        for (const read of [group, group.replaceAll(/"[^"]*"/g, '')]) {
          let depth = 0;
          for (const [index, character] of [...read].entries()) {
            if ('({'.includes(character)) depth += 1;
            if (')}'.includes(character)) depth -= 1;
            expect(depth).toBeGreaterThan(index === read.length - 1 ? -1 : 0);
          }
          expect(depth).toBe(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('whole numbers in a query', () => {
  const notWhole = [
    '0x10',
    '1.5',
    '7.0',
    '-1',
    '+1',
    '1e9',
    '1e3',
    '',
    ' 7',
    '7 ',
    '٧',
    'NaN',
    'Infinity',
    '1_000',
  ];

  it.each(notWhole)('refuses %j as olderThan and names the field', (text) => {
    expect(faultyPaths(ListEmailsQuerySchema, { olderThan: text })).toEqual(['olderThan']);
  });

  it.each(notWhole)('refuses %j as page and names the field', (text) => {
    expect(faultyPaths(PaginationQuerySchema, { page: text })).toEqual(['page']);
  });

  it('reads every number within the limits as it stands', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 100 }), (perPage) => {
        expect(PaginationQuerySchema.parse({ perPage: String(perPage) }).perPage).toBe(perPage);
      }),
    );
  });

  it('accepts nothing but decimal digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const accepted = ListEmailsQuerySchema.safeParse({ minAttachmentSize: text }).success;
        expect(accepted && !/^\d+$/.test(text)).toBe(false);
      }),
    );
  });

  it.each([
    ['page', '0'],
    ['page', '10000001'],
    ['perPage', '0'],
    ['perPage', '101'],
  ])('refuses %s=%s, which is out of bounds', (name, text) => {
    expect(faultyPaths(PaginationQuerySchema, { [name]: text })).toEqual([name]);
  });

  it('starts at page 1 with 20 records when nothing is asked for', () => {
    expect(PaginationQuerySchema.parse({})).toEqual({ page: 1, perPage: 20 });
  });
});

describe('names in a query', () => {
  it.each(['promotions', 'social', 'updates', 'forums', 'primary'])('knows the category %s', (category) => {
    expect(ListEmailsQuerySchema.parse({ category }).category).toBe(category);
  });

  it.each(['spam', 'Promotions', 'CATEGORY_SOCIAL', '', 'primary '])(
    'refuses the category %j',
    (category) => {
      expect(faultyPaths(ListEmailsQuerySchema, { category })).toEqual(['category']);
    },
  );

  it.each(['daily', 'weekly'])('knows the period %s', (period) => {
    expect(NotificationSummaryQuerySchema.parse({ period })).toEqual({ period });
  });

  it('refuses any other period', () => {
    expect(NotificationSummaryQuerySchema.safeParse({ period: 'monthly' }).success).toBe(false);
  });

  it.each(['domain.suggestions.generated', 'domain.suggestions.confirmed'])(
    'filters events by %s',
    (type) => {
      expect(ListNotificationEventsQuerySchema.parse({ type }).type).toBe(type);
    },
  );

  it.each([
    'SUGGESTION_GENERATED',
    'SUGGESTIONS_GENERATED',
    'NEW_SUGGESTIONS_EVENT',
    'NEW_SUGGESTIONS_AVAILABLE',
    'NEW_SUGGESTIONS',
    'domain.suggestion.generated',
    'DOMAIN.SUGGESTIONS.GENERATED',
  ])('refuses to filter events by %s, which is no canonical name', (type) => {
    expect(ListNotificationEventsQuerySchema.safeParse({ type }).success).toBe(false);
  });
});

describe('the shape of a query', () => {
  it.each([
    ['unread', ['true', 'false']],
    ['olderThan', ['1', '2']],
    ['category', ['social', 'social']],
    ['pageToken', ['a', 'b']],
  ])('refuses %s given twice', (name, values) => {
    expect(faultyPaths(ListEmailsQuerySchema, { [name]: values })).toEqual([name]);
  });

  it.each([{ pageToken: { a: 'b' } }, { olderThan: 7 }, { unread: true }])(
    'refuses a value that is no text: %j',
    (query) => {
      expect(ListEmailsQuerySchema.safeParse(query).success).toBe(false);
    },
  );

  it('refuses parameters that no route has', () => {
    expect(ListEmailsQuerySchema.safeParse({ unraed: 'true' }).success).toBe(false);
    expect(ListSuggestionsQuerySchema.safeParse({ category: 'social' }).success).toBe(false);
    expect(ListEmailsQuerySchema.safeParse(JSON.parse('{"__proto__":"x"}')).success).toBe(false);
  });
});
