import { UnsupportedSearchError } from '@mailsweep/mail/mailbox';

/** A filter of Email/query (RFC 8620, 5.5; RFC 8621, 4.4.1). */
export type EmailFilter =
  | { operator: 'AND' | 'OR' | 'NOT'; conditions: EmailFilter[] }
  | Record<string, string | number | boolean | string[]>;

export const allOf = (conditions: EmailFilter[]): EmailFilter => ({ operator: 'AND', conditions });
const anyOf = (conditions: EmailFilter[]): EmailFilter => ({ operator: 'OR', conditions });
export const noneOf = (conditions: EmailFilter[]): EmailFilter => ({ operator: 'NOT', conditions });

export interface TranslatedSearch {
  conditions: EmailFilter[];
  /** Whether emails with attachments are meant, or those without; servers disagree, so it is judged here. */
  hasAttachment?: boolean | undefined;
}

/** A phrase, a bracket, or whatever else has no space in it; an operator keeps its phrase. */
const TOKEN = /-?(?:[\w-]+:)?"[^"]*"|-?[(){}]|[^\s(){}"]+/g;
const LIST_HEADER = 'List-Id';
const ATTACHMENT = /^has:attachment$/i;
const OPERATOR = /^([a-z_]+):(.*)$/i;
const UNIT_DAYS: Record<string, number> = { d: 1, m: 30, y: 365 };
const UNIT_BYTES: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2 };
const DAY_MS = 86_400_000;

/** JMAP takes dates without a fraction for all (RFC 8620, 1.4). */
export const toUtcDate = (atMs: number): string => new Date(atMs).toISOString().replace(/\.\d+Z$/, 'Z');

// Maps, since the names come from the user: an object would also have a `constructor`.
const STATES = new Map<string, EmailFilter>([
  ['unread', { notKeyword: '$seen' }],
  ['read', { hasKeyword: '$seen' }],
  ['starred', { hasKeyword: '$flagged' }],
  ['important', { hasKeyword: '$important' }],
]);

/** A day as Gmail takes it, in UTC, or seconds since 1970. */
const toInstantMs = (value: string): number | undefined => {
  if (/^\d{9,11}$/.test(value)) return Number(value) * 1_000;
  const [, year = '', month = '', day = ''] = /^(\d{4})[/-](\d{1,2})[/-](\d{1,2})$/.exec(value) ?? [];
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
    ? date.getTime()
    : undefined;
};

const toAgeMs = (value: string): number | undefined => {
  const [, amount, unit = ''] = /^(\d{1,4})(d|m|y)$/i.exec(value) ?? [];
  return amount === undefined ? undefined : Number(amount) * (UNIT_DAYS[unit.toLowerCase()] ?? 0) * DAY_MS;
};

// Stalwart leaves out the instant itself.
export const toAfter = (atMs: number): string => toUtcDate(Math.max(0, atMs - 1_000));

const before = (atMs: number | undefined): EmailFilter | undefined =>
  atMs === undefined ? undefined : { before: toUtcDate(atMs) };
const after = (atMs: number | undefined): EmailFilter | undefined =>
  atMs === undefined ? undefined : { after: toAfter(atMs) };
const ago = (nowMs: number, ageMs: number | undefined): number | undefined =>
  ageMs === undefined ? undefined : nowMs - ageMs;

/** The moment of a search, and the id of a mailbox by what a search calls it. */
export interface SearchContext {
  nowMs: number;
  findMailbox: (name: string) => string | undefined;
}

type Translate = (value: string, context: SearchContext) => EmailFilter | undefined;

/** A value that an operator does not take is refused like the operator. */
const OPERATORS = new Map<string, Translate>([
  ['from', (value) => ({ from: value })],
  ['to', (value) => ({ to: value })],
  ['subject', (value) => ({ subject: value })],
  ['is', (value) => STATES.get(value.toLowerCase())],
  [
    'larger',
    (value) => {
      const [, amount, unit = ''] = /^(\d{1,12})(k|m)?b?$/i.exec(value) ?? [];
      return amount === undefined
        ? undefined
        : { minSize: Number(amount) * (UNIT_BYTES[unit.toLowerCase()] ?? 1) };
    },
  ],
  ['list', (value) => ({ header: [LIST_HEADER, value] })],
  ['before', (value) => before(toInstantMs(value))],
  ['after', (value) => after(toInstantMs(value))],
  ['older_than', (value, { nowMs }) => before(ago(nowMs, toAgeMs(value)))],
  ['newer_than', (value, { nowMs }) => after(ago(nowMs, toAgeMs(value)))],
  [
    'in',
    (value, { findMailbox }) => {
      const name = value.replace(/^"(.*)"$/, '$1').toLowerCase();
      const id = findMailbox(name);
      if (id !== undefined) return { inMailbox: id };
      // Spam, trash and drafts stay out whatever a search says.
      return name === 'anywhere' || name === 'all' ? {} : undefined;
    },
  ],
]);

const KNOWN = [...[...OPERATORS.keys()].map((name) => `${name}:`), 'has:attachment'];

/** @param operator - as the search has it: `in:` */
export const refuseSearch = (operator: string) => new UnsupportedSearchError(operator, KNOWN);

const CLOSING = new Set([')', '}']);

/**
 * Translates a search as `MailSearchSchema` reads it: words and phrases, `from:`, `to:`, `subject:`, `is:`, `larger:`,
 * `list:`, `in:`, `before:`, `after:`, `older_than:`, `newer_than:`, `has:attachment`, `OR`, minus and brackets. How text is matched is the server’s choice (RFC 8621,
 * 4.4.1).
 *
 * @throws {UnsupportedSearchError} for any other operator
 */
export const translateSearch = (search: string, context: SearchContext): TranslatedSearch => {
  const tokens = search.match(TOKEN) ?? [];
  let hasAttachment: boolean | undefined;
  let position = 0;

  const translate = (name: string, value: string): EmailFilter => {
    const filter = OPERATORS.get(name.toLowerCase())?.(value, context);
    if (filter === undefined) throw refuseSearch(`${name}:`);
    return filter;
  };

  /**
   * One term; undefined where it is judged here.
   *
   * @param operator - of the brackets around it
   * @param isTop - whether all emails have to meet it
   */
  const readTerm = (operator: string | undefined, isTop: boolean): EmailFilter | undefined => {
    const token = tokens[position] ?? '';
    position += 1;
    if (token.startsWith('-') && token.length > 1) {
      const negated = token.slice(1);
      if (ATTACHMENT.test(negated)) return readAttachment(false, isTop);
      position -= 1;
      tokens[position] = negated;
      const term = readTerm(operator, false);
      return term && noneOf([term]);
    }
    if (token === '(') return readGroup(')', operator);
    if (token === '{') return readGroup('}', operator);
    const [, name, value = ''] = OPERATOR.exec(token) ?? [];
    // An address of a page has a colon, too.
    if (name === undefined || value.startsWith('//')) return translateWord(operator, token);
    if (operator !== undefined) throw refuseSearch(`${name}:`);
    if (ATTACHMENT.test(token)) return readAttachment(true, isTop);
    return value === '' ? readTerm(name, false) : translate(name, value);
  };

  const translateWord = (operator: string | undefined, word: string): EmailFilter =>
    operator === undefined ? { text: word } : translate(operator, word);

  const readAttachment = (isWanted: boolean, isTop: boolean): undefined => {
    if (!isTop) throw refuseSearch('has:attachment');
    hasAttachment = isWanted;
  };

  const readGroup = (closing: string, operator: string | undefined): EmailFilter => {
    const terms = readTerms(closing, operator, false);
    return closing === '}' ? anyOf(terms) : allOf(terms);
  };

  const readTerms = (
    closing: string | undefined,
    operator: string | undefined,
    isTop: boolean,
  ): EmailFilter[] => {
    const terms: EmailFilter[] = [];
    let isAlternative = false;
    while (position < tokens.length) {
      const token = tokens[position] ?? '';
      if (CLOSING.has(token)) {
        position += 1;
        if (token === closing) break;
        continue;
      }
      if (token === 'OR' || token === 'AND') {
        position += 1;
        isAlternative = token === 'OR';
        continue;
      }
      const isAlone = isTop && !isAlternative && tokens[position + 1] !== 'OR';
      const term = readTerm(operator, isAlone);
      const last = isAlternative ? terms.pop() : undefined;
      if (term) terms.push(last ? anyOf([last, term]) : term);
      isAlternative = false;
    }
    return terms;
  };

  return { conditions: readTerms(undefined, undefined, true), hasAttachment };
};
