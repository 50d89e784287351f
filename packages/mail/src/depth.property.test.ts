import { MailSearchSchema, toSenderNames } from '@mailsweep/contracts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MessageSchema } from './gmail/api/gmail-requests.ts';
import { toMessageFacts } from './gmail/api/message/to-message-facts.ts';
import { EmailSchema } from './jmap/protocol/jmap-schemas.ts';
import { translateSearch } from './jmap/reading/search.ts';
import { toMessageFacts as toJmapFacts } from './jmap/reading/to-message-facts.ts';

/** Far deeper than the call stack is. */
const DEPTH = 100_000;
const SERVER = 'mx.google.com';

/** What opens something in a header, a body or a search, with what may stand beside it. */
const OPENINGS = [
  '(',
  '<',
  '"',
  '[',
  '{',
  '\\',
  '(a',
  '"a" <',
  '=?utf-8?q?=28',
  '=?utf-8?b?KA==?= ',
  '; (',
  ',<',
  '()',
  '<>',
  '\r\n ',
  '&lt;',
  '-',
  '-(',
  'OR (',
  'a:(',
];
const nested = fc
  .tuple(
    fc.array(fc.constantFrom(...OPENINGS), { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', 'x', ')', '>', 'a@b.example'),
  )
  .map(([openings, core]) => openings.join('').repeat(Math.ceil(DEPTH / openings.length)) + core);
const RUNS = { numRuns: 60 };

const HEADERS = [
  'From',
  'Subject',
  'Date',
  'List-Id',
  'List-Post',
  'List-Unsubscribe',
  'List-Unsubscribe-Post',
  'Auto-Submitted',
  'Authentication-Results',
  'DKIM-Signature',
];

describe('what a sender nests', () => {
  it('in the headers of a message is read all the same, by both providers alike', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...HEADERS), { minLength: 1 }),
        nested,
        nested,
        (names, one, two) => {
          const headers = names.map((name, index) => ({
            name,
            value: index % 2 === 0 ? one : `${SERVER}; dkim=pass ${two}`,
          }));
          const gmail = toMessageFacts(MessageSchema.parse({ id: 'm', snippet: one, payload: { headers } }));
          const jmap = toJmapFacts(
            EmailSchema.parse({
              id: 'm',
              mailboxIds: {},
              threadId: 't',
              receivedAt: '1970-01-01T00:00:00Z',
              preview: one,
              ...Object.fromEntries(
                headers.flatMap(({ name, value }) => [
                  [`header:${name}:asRaw`, value],
                  [`header:${name}:asRaw:all`, [value]],
                ]),
              ),
            }),
            SERVER,
          );
          expect([gmail.from, gmail.isSenderUnclear, gmail.subject, gmail.unsubscribe]).toEqual([
            jmap.from,
            jmap.isSenderUnclear,
            jmap.subject,
            jmap.unsubscribe,
          ]);
          toSenderNames(one);
        },
      ),
      RUNS,
    );
  });

  it.each([
    ['payload', 'parts', (tree: unknown) => toMessageFacts(MessageSchema.parse({ id: 'm', payload: tree }))],
    [
      'bodyStructure',
      'subParts',
      (tree: unknown) =>
        toJmapFacts(
          EmailSchema.parse({
            id: 'm',
            mailboxIds: {},
            threadId: 't',
            receivedAt: '2026-01-01T00:00:00Z',
            bodyStructure: tree,
          }),
          undefined,
        ),
    ],
  ])('in a body is left out, and what stands beside it is read: %s', (_, parts, read) => {
    const file = { filename: 'a.pdf', name: 'a.pdf', disposition: 'attachment', size: 7, body: { size: 7 } };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 3 }), fc.constantFrom(1, 90, 5_000, DEPTH), (files, depth) => {
        // As text: a server's response is parsed, too.
        const beside = JSON.stringify(file).concat(',').repeat(files);
        const tree = `${`{"${parts}":[${beside}`.repeat(depth)}{}${']}'.repeat(depth)}`;
        const seen = Math.min(depth, 100);
        const { attachmentCount } = read(JSON.parse(tree));
        expect(attachmentCount).toBeGreaterThanOrEqual(files * (seen - 2));
        expect(attachmentCount).toBeLessThanOrEqual(files * seen + 1);
      }),
      { numRuns: 12 },
    );
  });

  it('in a search is refused, or read up to its longest', () => {
    fc.assert(
      fc.property(nested, fc.constantFrom(500, DEPTH), (text, length) => {
        const search = MailSearchSchema.safeParse(text.slice(0, length));
        if (length > 500) expect(search.success).toBe(false);
        for (const one of [text.slice(0, 500), search.data ?? '']) {
          try {
            translateSearch(one, { nowMs: 0, findMailbox: () => undefined });
          } catch (error) {
            expect(error).toMatchObject({ code: 'unsupported_search' });
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});
