import { BYTES_PER_MB, EmailCategorySchema } from '@mailsweep/contracts';
import type { TestMessage } from '@mailsweep/google-sandbox/testing/gmail';
import type { EmailQuery } from '@mailsweep/mail/mailbox';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { setUpMailbox } from '../testing/test-mailbox.ts';
import { toListParameters } from './list-parameters.ts';

const MIDNIGHT_MS = Date.UTC(2026, 0, 1);
const LABELS = ['INBOX', 'UNREAD', 'TRASH', 'SPAM', 'STARRED', 'DRAFT', 'CHAT'];
const CATEGORY_LABELS = ['CATEGORY_PROMOTIONS', 'CATEGORY_SOCIAL', 'CATEGORY_UPDATES', 'CATEGORY_FORUMS'];
const SIZES = [0, 1, BYTES_PER_MB - 1, BYTES_PER_MB, BYTES_PER_MB + 1, 5 * BYTES_PER_MB];

/** A message as far as the filters are concerned. */
const fact = fc.record({
  labels: fc.uniqueArray(fc.constantFrom(...LABELS)),
  category: fc.option(fc.constantFrom(...CATEGORY_LABELS), { nil: undefined }),
  receivedMs: fc.integer({ min: -1_500, max: 1_500 }).map((offset) => MIDNIGHT_MS + offset),
  attachmentBytes: fc.constantFrom(...SIZES),
});
type Fact = Parameters<Parameters<typeof fact.map>[0]>[0];

const optional = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined });
const anyQuery: fc.Arbitrary<Omit<EmailQuery, 'pageSize'>> = fc.record({
  scope: fc.constantFrom('inbox', 'all'),
  unread: optional(fc.boolean()),
  category: optional(fc.constantFrom(...EmailCategorySchema.options)),
  receivedBefore: optional(
    fc.integer({ min: -1_200, max: 1_200 }).map((offset) => new Date(MIDNIGHT_MS + offset)),
  ),
  largerThanMb: optional(fc.constantFrom(0, 1, 5)),
});

/** What the filters mean, in the words of the API's contract. */
const isWanted = (
  { labels, category, receivedMs, attachmentBytes }: Fact,
  query: Omit<EmailQuery, 'pageSize'>,
) =>
  !labels.includes('TRASH') &&
  !labels.includes('SPAM') &&
  !labels.includes('DRAFT') &&
  !labels.includes('CHAT') &&
  (query.scope === 'all' || labels.includes('INBOX')) &&
  (!query.unread || labels.includes('UNREAD')) &&
  (query.category === undefined ||
    (category ?? 'CATEGORY_PRIMARY') === `CATEGORY_${query.category.toUpperCase()}`) &&
  (query.receivedBefore === undefined || receivedMs < query.receivedBefore.getTime()) &&
  (query.largerThanMb === undefined || attachmentBytes > query.largerThanMb * BYTES_PER_MB);

/** What Gmail finds for the parameters of a list call (Gmail Help, "Search operators"). */
const isFound = ({ labels, category, receivedMs, attachmentBytes }: Fact, parameters: URLSearchParams) => {
  const all = category === undefined ? labels : [...labels, category];
  const terms = (parameters.get('q') ?? '').split(' ').filter((term) => term !== '');
  return (
    !labels.includes('TRASH') &&
    !labels.includes('SPAM') &&
    parameters.getAll('labelIds').every((label) => all.includes(label)) &&
    terms.every((term) => {
      const [operator, value = ''] = term.split(':');
      switch (operator) {
        case 'before':
          return receivedMs < Number(value) * 1_000;
        case 'larger':
          return attachmentBytes + 1_000 > Number(value);
        case 'has':
          return attachmentBytes > 0;
        case '-is':
          return value === 'snoozed';
        case '-in':
          if (value === 'scheduled') return true;
          return !labels.includes(value === 'drafts' ? 'DRAFT' : 'CHAT');
        case '-category':
          return category !== `CATEGORY_${value.toUpperCase()}`;
        default:
          throw new Error(`Gmail is not known to understand ${term}`);
      }
    })
  );
};

const toMessage = ({ labels, category, receivedMs, attachmentBytes }: Fact, index: number): TestMessage => ({
  id: `m${index}`,
  labels: category === undefined ? labels : [...labels, category],
  receivedAtMs: receivedMs,
  attachments:
    attachmentBytes === 0
      ? []
      : [{ filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: attachmentBytes, isInline: false }],
});

it('what the provider is asked for leaves out no email that passes the filters', () => {
  fc.assert(
    fc.property(fact, anyQuery, (message, query) => {
      const isLost = isWanted(message, query) && !isFound(message, toListParameters(query));
      expect(isLost).toBe(false);
    }),
    { numRuns: 5_000 },
  );
});

it('the pages list exactly the emails that pass the filters: each once, in the provider’s order', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fact, { maxLength: 20, selector: ({ receivedMs }) => receivedMs }),
      anyQuery,
      fc.integer({ min: 1, max: 7 }),
      async (facts, query, pageSize) => {
        const newestFirst = facts.toSorted((one, other) => other.receivedMs - one.receivedMs);
        const messages = newestFirst.map(toMessage);
        const { mailbox } = await setUpMailbox({ messages });
        const wanted = messages
          .filter((_, index) => isWanted(newestFirst[index] as Fact, query))
          .map(({ id }) => id);
        const listed: string[] = [];
        let pageToken: string | undefined;
        do {
          const page = await mailbox.listEmails({ ...query, pageSize, pageToken });
          expect(page.emails.length).toBeLessThanOrEqual(pageSize);
          listed.push(...page.emails.map(({ id }) => id));
          pageToken = page.nextPageToken ?? undefined;
        } while (pageToken !== undefined);
        expect(listed).toEqual(wanted);
      },
    ),
    { numRuns: 40 },
  );
}, 30_000);
