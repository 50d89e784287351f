import type { Behaviour } from '../behaviour.ts';
import { type SetAside, SetAsideSchema } from '../mailbox/mailbox-changes.ts';
import type { Message } from '../mailbox/message.ts';
import { headerOf } from '../mailbox/mime.ts';

/** A search as a tree; a term is a word, a phrase or an operator with its value. */
type SearchExpression =
  | { kind: 'term'; term: string; isNegated: boolean }
  | { kind: 'all' | 'any'; parts: SearchExpression[] };

/** A phrase with or without an operator, a bracket that opens a group, one that closes it, or a word. */
const TOKENS = /-?(?:\w+:)?"[^"]*"|-?(?:\w+:)?[({]|[)}]|[^\s(){}]+/g;

/**
 * Reads a search of Gmail (Gmail help, "Refine searches in Gmail"): terms side by side must all match, `OR` and braces
 * need one of them, parentheses group, `-` negates, and an operator before a group counts for each of its terms. `OR`
 * binds closer than terms side by side.
 *
 * @throws {SyntaxError} for brackets that do not match
 */
const parseSearch = (q: string): SearchExpression => {
  const tokens = (q.match(TOKENS) ?? []).filter((token) => token !== 'AND');
  let next = 0;

  const readGroup = (closing: ')' | '}' | undefined, operator: string): SearchExpression => {
    const groups: SearchExpression[][] = [];
    let isAlternative = false;
    for (; next < tokens.length && !/^[)}]$/.test(tokens[next] ?? ''); ) {
      if (tokens[next] === 'OR') {
        isAlternative = groups.length > 0;
        next += 1;
        continue;
      }
      const part = readPart(operator);
      if (isAlternative) groups.at(-1)?.push(part);
      else groups.push([part]);
      isAlternative = false;
    }
    if (tokens[next] !== closing) throw new SyntaxError('The brackets do not match.');
    next += 1;
    const parts = groups.map((group) => (group.length === 1 && group[0] ? group[0] : toAny(group)));
    return closing === '}' ? toAny(parts) : { kind: 'all', parts };
  };

  const readPart = (operator: string): SearchExpression => {
    const token = tokens[next] ?? '';
    next += 1;
    const [, minus, ownOperator = '', bracket] = token.match(/^(-?)(\w+:)?([({])$/) ?? [];
    const isNegated = token.startsWith('-') && token.length > 1;
    if (bracket === undefined) {
      const term = isNegated ? token.slice(1) : token;
      return { kind: 'term', term: /^\w+:/.test(term) ? term : operator + term, isNegated };
    }
    const group = readGroup(bracket === '{' ? '}' : ')', ownOperator || operator);
    return minus === '-' ? negate(group) : group;
  };

  return readGroup(undefined, '');
};

const toAny = (parts: SearchExpression[]): SearchExpression => ({ kind: 'any', parts });

const negate = (expression: SearchExpression): SearchExpression =>
  expression.kind === 'term'
    ? { ...expression, isNegated: !expression.isNegated }
    : { kind: expression.kind === 'all' ? 'any' : 'all', parts: expression.parts.map(negate) };

const BYTES_PER_UNIT: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2 };
const MS_PER_DAY = 86_400_000;
const DAYS_PER_UNIT: Record<string, number> = { d: 1, m: 30, y: 365 };
/** Categories, and the labels that mark them. */
const CATEGORY_LABELS: Record<string, string> = {
  promotions: 'CATEGORY_PROMOTIONS',
  social: 'CATEGORY_SOCIAL',
  updates: 'CATEGORY_UPDATES',
  forums: 'CATEGORY_FORUMS',
};
/** What searches call labels of Gmail's own, where it is not their name. */
const ALIASES: Record<string, string> = {
  ...CATEGORY_LABELS,
  personal: 'CATEGORY_PERSONAL',
  drafts: 'DRAFT',
  chats: 'CHAT',
};

/** Why a search can't be done here. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
}

type Test = (message: Message) => boolean;
type Labels = ReadonlyMap<string, { id: string; name: string }>;

interface SearchContext {
  nowMs: number;
  behaviour: Pick<Behaviour, 'primaryIsPersonal'>;
  labels: Labels;
  /** Messages that are snoozed or scheduled, by id: no label says so. */
  setAside: Readonly<Record<string, SetAside | null>>;
}

/** Whether a search looks into spam and trash, too. */
export const looksEverywhere = (q: string): boolean => /(?:in|label|is):"?(?:spam|trash|anywhere)\b/i.test(q);

/**
 * Reads the `q` of `users.messages.list` (Gmail help, "Refine searches in Gmail").
 *
 * @returns whether a message is found
 * @throws {SearchError} for brackets that do not match and malformed values, which must not match by accident
 */
export const readSearch = (q: string, context: SearchContext): Test => {
  try {
    return toTest(parseSearch(q), context);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SearchError(error.message);
    throw error;
  }
};

const toTest = (expression: SearchExpression, context: SearchContext): Test => {
  if (expression.kind === 'term') {
    const test = toTermTest(expression.term, context);
    return expression.isNegated ? (message) => !test(message) : test;
  }
  const tests = expression.parts.map((part) => toTest(part, context));
  return expression.kind === 'all'
    ? (message) => tests.every((test) => test(message))
    : (message) => tests.some((test) => test(message));
};

const toTermTest = (term: string, { nowMs, behaviour, labels, setAside }: SearchContext): Test => {
  const [, operator = '', phrase] = term.match(/^(?:(\w+):)?([\s\S]*)$/) ?? [];
  const value = (phrase ?? '').replace(/^"(.*)"$/, '$1').toLowerCase();
  switch (operator.toLowerCase()) {
    case 'larger':
    case 'size':
      return toRangeTest('sizeBytes', '>', toBytes(value));
    case 'smaller':
      return toRangeTest('sizeBytes', '<', toBytes(value));
    case 'filename':
      return toFilenameTest(value);
    case 'older_than':
      return toRangeTest('receivedAtMs', '<', toPastMs(value, nowMs));
    case 'newer_than':
      return toRangeTest('receivedAtMs', '>', toPastMs(value, nowMs));
    case 'before':
    case 'older':
      return toRangeTest('receivedAtMs', '<', toInstantMs(value));
    case 'after':
    case 'newer':
      return toRangeTest('receivedAtMs', '>', toInstantMs(value));
    case 'category':
      return toCategoryTest(value, behaviour.primaryIsPersonal);
    case 'in':
    case 'is':
    case 'label':
      if (SetAsideSchema.safeParse(value).success) return ({ id }) => setAside[id] === value;
      return toLabelTest(value, labels);
    case 'from':
    case 'to':
    case 'subject': {
      const field = operator.toLowerCase() as 'from' | 'to' | 'subject';
      return (message) => message[field].toLowerCase().includes(value);
    }
    case 'list':
      return (message) =>
        (headerOf(message.readParts().headers, 'list-id') ?? '').toLowerCase().includes(value);
    case 'rfc822msgid':
      return ({ messageId }) =>
        messageId.replaceAll(/[<>]/g, '').toLowerCase() === value.replaceAll(/[<>]/g, '');
    case 'has':
      if (value === 'attachment') return ({ filenames }) => filenames.length > 0;
  }
  const words = term.replace(/^"(.*)"$/, '$1').toLowerCase();
  return ({ subject, from, to, text }) => [subject, from, to, text].join(' ').toLowerCase().includes(words);
};

const toRangeTest =
  (field: 'sizeBytes' | 'receivedAtMs', sign: '<' | '>', bound: number): Test =>
  ({ [field]: value }) =>
    sign === '<' ? value < bound : value > bound;

const toCategoryTest = (category: string, primaryIsPersonal: boolean): Test => {
  const isPrimary = category === 'primary';
  const label = isPrimary && primaryIsPersonal ? 'CATEGORY_PERSONAL' : CATEGORY_LABELS[category];
  if (label !== undefined) return ({ labelIds }) => labelIds.includes(label);
  if (!isPrimary) throw new SearchError(`The sandbox does not know category:${category}.`);
  const others = Object.values(CATEGORY_LABELS);
  return ({ labelIds }) => !labelIds.some((id) => others.includes(id));
};

const toLabelTest = (value: string, labels: Labels): Test => {
  if (value === 'anywhere') return () => true;
  if (value === 'read') return ({ labelIds }) => !labelIds.includes('UNREAD');
  const name = toComparableName(ALIASES[value] ?? value);
  const ids = [...labels.values()]
    .filter((label) => label.id.toLowerCase() === value || toComparableName(label.name) === name)
    .map(({ id }) => id);
  return ({ labelIds }) => ids.some((id) => labelIds.includes(id));
};

/** Gmail takes names for the same that differ in case, or in what separates their words (elie222/inbox-zero#3342). */
export const toComparableName = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replace(/[\s/_-]+/g, ' ');

/**
 * Attachments "with a certain name or file type", such as `filename:pdf` and `filename:homework.txt`
 * (https://support.google.com/mail/answer/7190, "filename:"): the whole name, its part before the dot, or its ending.
 */
const toFilenameTest = (wanted: string): Test => {
  if (wanted === '') throw new SearchError('A file name is missing.');
  const isWanted = (filename: string): boolean => {
    const name = filename.toLowerCase();
    const dot = name.lastIndexOf('.');
    return name === wanted || (dot > 0 && (name.slice(0, dot) === wanted || name.slice(dot + 1) === wanted));
  };
  return ({ filenames }) => filenames.some(isWanted);
};

const toBytes = (value: string): number => {
  const [, digits, unit] = value.match(/^(\d+)([km]?)b?$/) ?? [];
  if (digits === undefined) throw new SearchError('A size is a number of bytes, K or M.');
  return Number(digits) * (BYTES_PER_UNIT[unit ?? ''] ?? 1);
};

/** The moment of an age before now, such as `30d`. */
const toPastMs = (value: string, nowMs: number): number => {
  const [, digits, unit] = value.match(/^(\d+)([dmy])$/) ?? [];
  if (digits === undefined) throw new SearchError('An age is a number followed by d, m or y.');
  const ageMs = Number(digits) * (DAYS_PER_UNIT[unit ?? ''] ?? 1) * MS_PER_DAY;
  return Math.floor((nowMs - ageMs) / 1_000) * 1_000;
};

const toInstantMs = (value: string): number => {
  const instantMs = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value);
  if (Number.isNaN(instantMs)) throw new SearchError('A date is such as 2026/01/31, or a number of seconds.');
  return instantMs;
};
