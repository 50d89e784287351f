import type { FakeEmail } from './fake-account.ts';

type Filter = Record<string, unknown>;

const headerHas = ({ headers }: FakeEmail, name: string, text: string): boolean =>
  headers.some(
    ([other, value]) =>
      other.toLowerCase() === name.toLowerCase() && value.toLowerCase().includes(text.toLowerCase()),
  );

/** What each property of a condition asks for (RFC 8621, 4.4.1). */
const CONDITIONS: Record<string, (email: FakeEmail, value: unknown) => boolean> = {
  inMailbox: ({ mailboxIds }, id) => mailboxIds.has(String(id)),
  inMailboxOtherThan: ({ mailboxIds }, ids) => [...mailboxIds].some((id) => !(ids as string[]).includes(id)),
  before: ({ receivedAt }, date) => Date.parse(receivedAt) < Date.parse(String(date)),
  after: ({ receivedAt }, date) => Date.parse(receivedAt) >= Date.parse(String(date)),
  minSize: ({ size }, bytes) => size >= Number(bytes),
  hasKeyword: ({ keywords }, name) => keywords.has(String(name)),
  notKeyword: ({ keywords }, name) => !keywords.has(String(name)),
  from: (email, text) => headerHas(email, 'From', unquote(text)),
  to: (email, text) => headerHas(email, 'To', unquote(text)),
  subject: (email, text) => headerHas(email, 'Subject', unquote(text)),
  text: (email, text) =>
    ['From', 'To', 'Subject'].some((name) => headerHas(email, name, unquote(text))) ||
    email.preview.toLowerCase().includes(unquote(text).toLowerCase()),
  header: (email, value) => {
    const [name = '', text = ''] = value as string[];
    return headerHas(email, name, text);
  },
};

const unquote = (text: unknown): string => String(text).replace(/^"(.*)"$/, '$1');

const OPERATORS: Record<string, (results: boolean[]) => boolean> = {
  AND: (results) => results.every(Boolean),
  OR: (results) => results.some(Boolean),
  NOT: (results) => !results.some(Boolean),
};

/** Whether an email passes a filter, as the text of the RFC has it. */
export const matchesFilter = (email: FakeEmail, filter: Filter, excludesAfter = false): boolean => {
  const { operator, conditions } = filter;
  if (typeof operator === 'string') {
    const results = (conditions as Filter[]).map((condition) =>
      matchesFilter(email, condition, excludesAfter),
    );
    return OPERATORS[operator]?.(results) ?? false;
  }
  return Object.entries(filter).every(([name, value]) => {
    if (name === 'after' && excludesAfter && Date.parse(email.receivedAt) === Date.parse(String(value))) {
      return false;
    }
    const isMet = CONDITIONS[name];
    if (isMet === undefined) throw new Error(`The fake server does not know the filter ${name}`);
    return isMet(email, value);
  });
};
