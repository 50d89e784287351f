import type { MlRequestItem } from '@mailsweep/contracts';
import type { Clause } from '../clauses.ts';
import { EDGE_DATES, HOSTILE_TEXTS, manyEmails, UNUSUAL_IDS, USUAL_EMAILS } from '../emails.ts';
import { type Check, describeResponse } from '../finding.ts';
import { readSuccess } from '../read-response.ts';
import type { Service } from '../service.ts';

/** Most emails of a request. */
const MAX_EMAILS = 1_000;

const [EMAIL] = USUAL_EMAILS as [MlRequestItem];
const { subject: _, ...WITHOUT_SUBJECT } = EMAIL;

const ACCEPTED: readonly [clause: Clause, name: string, emails: readonly object[]][] = [
  ['request-fields', 'usual emails get 200', USUAL_EMAILS],
  ['request-unknown-fields', 'unknown fields are ignored', [{ ...EMAIL, threadId: 'x', nested: { a: [1] } }]],
  ['request-empty', 'an empty list gets 200', []],
  ['request-limit', '1,000 emails get 200', manyEmails(MAX_EMAILS)],
  ['request-text', 'any text in senders and subjects', HOSTILE_TEXTS],
  ['request-dates', 'dates at the edges', EDGE_DATES],
  ['response-ids', 'unusual ids come back as they are', UNUSUAL_IDS],
];

const REFUSED: readonly [name: string, body: unknown][] = [
  ['a body that is no JSON', '[{"id": '],
  ['an object', { emails: USUAL_EMAILS }],
  ['a list of texts', ['email']],
  ['an email without a subject', [WITHOUT_SUBJECT]],
  ['a text as isRead', [{ ...EMAIL, isRead: 'no' }]],
  ['a date in words', [{ ...EMAIL, date: 'yesterday' }]],
  ['an unknown category', [{ ...EMAIL, category: 'spam' }]],
];

/** Places in the code of the service: of JavaScript, Python, Java, Go. */
const STACK_TRACE = /:\d{1,6}:\d{1,6}\b|Traceback \(most recent call last\)|\.(?:py|java|go):\d/;

export const inputChecks = (service: Service): Check[] => [
  ...ACCEPTED.map(
    ([clause, name, emails]): Check => ({
      clause,
      name,
      async run() {
        const exchange = await service.ask(emails);
        const ids = emails.map((email) => String((email as { id?: unknown }).id));
        return readSuccess(exchange, ids, clause).findings;
      },
    }),
  ),
  ...REFUSED.map(
    ([name, body]): Check => ({
      clause: 'request-invalid',
      name: `${name} gets 400`,
      async run() {
        const exchange = await service.ask(body);
        const status = exchange.response?.status ?? 0;
        const found = (severity: 'error' | 'warning', what: string, change: string) =>
          [{ clause: 'request-invalid', severity, what, change, exchange }] as const;
        if (status < 400 || status >= 500)
          return [
            ...found(
              'error',
              `${name}: expected 400, got ${describeResponse(exchange)}`,
              'check the body before it is used; respond with 400',
            ),
          ];
        if (STACK_TRACE.test(exchange.response?.text ?? ''))
          return [
            ...found(
              'warning',
              `${name}: the response shows a stack trace`,
              'say what is wrong with the body, not where the code failed',
            ),
          ];
        return [];
      },
    }),
  ),
];
