import type { MlRequestItem } from '@mailsweep/contracts';
import request from '@mailsweep/contracts/fixtures/ml-request.json' with { type: 'json' };

/** Emails as they are, in several languages. */
export const USUAL_EMAILS = request as MlRequestItem[];

/** Emails with which no service has trouble: what a check is not about, it takes from these. */
const PLAIN_EMAILS = USUAL_EMAILS.filter(
  ({ from, subject, date }) => /^[ -~]+$/.test(from) && /^[ -~]+$/.test(subject) && date > '2000',
);
export const [PLAIN_EMAIL] = PLAIN_EMAILS as [MlRequestItem];

const LONGEST_TEXT = 10_000;

const vary = (name: string, changes: Partial<MlRequestItem>[]): MlRequestItem[] =>
  changes.map((change, index) => ({ ...PLAIN_EMAIL, id: `${name}-${index + 1}`, ...change }));

/** Senders and subjects that mailboxes really hold, and that careless code trips over. */
export const HOSTILE_TEXTS = vary('text', [
  { from: '', subject: '' },
  { subject: 'Sale 🌷👨‍👩‍👧‍👦🏳️‍🌈' },
  { subject: '\u202eמבצע\u202c עד 50% הנחה', from: 'חנות <shop@example.com>' },
  { subject: 'a'.repeat(LONGEST_TEXT) },
  { subject: '你'.repeat(LONGEST_TEXT / 10) },
  { subject: "'; DROP TABLE emails; --", from: '<script>alert(1)</script> <x@example.com>' },
  { subject: '{"action":"delete"} \\u0000 %s %n {{7*7}}' },
  { subject: 'line one\r\nline two\ttab' },
  { from: 'no address at all' },
  { from: `${'"'.repeat(100)} <${'a'.repeat(300)}@example.com>` },
]);

/** Dates at the edges. */
export const EDGE_DATES = vary('date', [
  { date: '1970-01-01T00:00:00.000Z' },
  { date: '1995-12-31T23:59:59Z' },
  { date: '2024-02-29T12:00:00.000+14:00' },
  { date: '2025-03-30T02:30:00.000-12:00' },
  { date: '2025-06-01T10:00:00.123456Z' },
  { date: '2099-01-01T00:00:00.000Z' },
  { date: '9999-12-31T23:59:59.999Z' },
]);

/** Ids that are property names in some languages, or as long as an id can be. */
export const UNUSUAL_IDS = ['constructor', '__proto__', 'a'.repeat(128), '0', 'null'].map((id) => ({
  ...PLAIN_EMAIL,
  id,
}));

export const manyEmails = (count: number, prefix = 'many'): MlRequestItem[] =>
  Array.from({ length: count }, (_, index) => ({
    ...(PLAIN_EMAILS[index % PLAIN_EMAILS.length] as MlRequestItem),
    id: `${prefix}-${index}`,
  }));
