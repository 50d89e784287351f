import type { Behaviour } from '../behaviour.ts';
import { parseSearch, type SearchExpression } from './search-expression.ts';

const BYTES_PER_UNIT: Record<string, number> = { '': 1, k: 1024, m: 1024 ** 2 };
const MS_PER_DAY = 86_400_000;
const DAYS_PER_UNIT: Record<string, number> = { d: 1, m: 30, y: 365 };
const PRIMARY_LABEL = 'CATEGORY_PERSONAL';
/** Categories with a label of their own. */
const CATEGORY_LABELS: Record<string, string> = {
  promotions: 'CATEGORY_PROMOTIONS',
  social: 'CATEGORY_SOCIAL',
  updates: 'CATEGORY_UPDATES',
  forums: 'CATEGORY_FORUMS',
};
/** Drafts and chats, which the emulator's search does not know by all of Gmail's words for them. */
const KIND_LABELS: Record<string, string> = { draft: 'DRAFT', drafts: 'DRAFT', chat: 'CHAT', chats: 'CHAT' };

/** A set of messages that the emulator can list by itself. */
export interface NativeSearch {
  q?: string;
  labelIds?: string[];
}

/** A search of Gmail, taken apart into what the emulator understands and what it does not. */
export interface SearchPlan {
  /** Words and operators that the emulator understands, joined. */
  q: string;
  labelIds: string[];
  includeSpamTrash: boolean;
  /** Sets of messages that are taken away from what is left. */
  excluded: NativeSearch[];
  /** What the size of a message in bytes has to pass. */
  sizeTests: ((sizeBytes: number) => boolean)[];
  /** What the file names of the attachments of a message have to pass. */
  filenameTests: ((filenames: readonly string[]) => boolean)[];
  /** Of each group, one search at least has to find a message. */
  alternatives: SearchPlan[][];
}

/** Why a search can't be done here. */
export class SearchError extends Error {
  override readonly name = 'SearchError';
  readonly code = 'search_not_understood';
}

/**
 * Reads the `q` of `users.messages.list` (Gmail help, "Refine searches in Gmail"). Adds to what the emulator knows:
 * `older_than: newer_than: older: newer: larger: smaller: size: filename: category: in:anywhere`, `OR`, `{ }`, `( )`, and
 * `-` before any of them.
 *
 * @throws {SearchError} for brackets that do not match and malformed values, which must not match by accident
 */
export const planSearch = (
  q: string,
  nowMs: number,
  behaviour: Pick<Behaviour, 'primaryIsPersonal'>,
): SearchPlan => {
  const plan = createPlan(/(?:in|label|is):"?(?:spam|trash|anywhere)\b/i.test(q));
  addExpression(plan, readExpression(q), { nowMs, behaviour });
  return plan;
};

const createPlan = (includeSpamTrash: boolean): SearchPlan => ({
  q: '',
  labelIds: [],
  includeSpamTrash,
  excluded: [],
  sizeTests: [],
  filenameTests: [],
  alternatives: [],
});

const readExpression = (q: string): SearchExpression => {
  try {
    return parseSearch(q);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SearchError(error.message);
    throw error;
  }
};

const addExpression = (plan: SearchPlan, expression: SearchExpression, context: SearchContext): void => {
  switch (expression.kind) {
    case 'term':
      for (const term of splitPhrase(expression.term)) addTerm(plan, term, expression.isNegated, context);
      return;
    case 'all':
      for (const part of expression.parts) addExpression(plan, part, context);
      return;
    case 'any':
      plan.alternatives.push(
        expression.parts.map((part) => {
          const alternative = createPlan(true);
          addExpression(alternative, part, context);
          return alternative;
        }),
      );
  }
};

/** The emulator knows no phrase after an operator; its words, each on its own, come closest. */
const splitPhrase = (term: string): string[] => {
  const [, operator, phrase] = term.match(/^(\w+:)"([^"]*)"$/) ?? [];
  return operator === undefined || phrase === undefined
    ? [term]
    : phrase.split(/\s+/).map((word) => operator + word);
};

interface SearchContext {
  nowMs: number;
  behaviour: Pick<Behaviour, 'primaryIsPersonal'>;
}

const addTerm = (
  plan: SearchPlan,
  positive: string,
  isNegated: boolean,
  { nowMs, behaviour }: SearchContext,
): void => {
  const separator = positive.indexOf(':');
  const operator = positive.slice(0, Math.max(separator, 0)).toLowerCase();
  const value = positive.slice(separator + 1).toLowerCase();
  switch (operator) {
    case 'larger':
    case 'size':
    case 'smaller':
      plan.sizeTests.push(toSizeTest(operator === 'smaller' ? !isNegated : isNegated, toBytes(value)));
      return;
    case 'filename':
      plan.filenameTests.push(toFilenameTest(value, isNegated));
      return;
    case 'older_than':
    case 'newer_than': {
      const instant = Math.floor((nowMs - toAgeMs(value)) / 1_000);
      const isBefore = (operator === 'older_than') !== isNegated;
      addNative(plan, { q: `${isBefore ? 'before' : 'after'}:${instant}` }, false);
      return;
    }
    case 'older':
    case 'newer':
      addNative(plan, { q: `${operator === 'older' ? 'before' : 'after'}:${value}` }, isNegated);
      return;
    case 'category':
      addCategory(plan, value, { isNegated, primaryIsPersonal: behaviour.primaryIsPersonal });
      return;
    case 'in':
    case 'is':
    case 'label': {
      if (operator === 'in' && value === 'anywhere' && !isNegated) return;
      const labelId = KIND_LABELS[value];
      if (labelId === undefined) break;
      addNative(plan, { labelIds: [labelId] }, isNegated);
      return;
    }
  }
  addNative(plan, { q: positive }, isNegated);
};

const addNative = (plan: SearchPlan, search: NativeSearch, isNegated: boolean): void => {
  if (isNegated) {
    plan.excluded.push(search);
    return;
  }
  plan.q = [plan.q, search.q].filter(Boolean).join(' ');
  plan.labelIds.push(...(search.labelIds ?? []));
};

const addCategory = (
  plan: SearchPlan,
  category: string,
  { isNegated, primaryIsPersonal }: { isNegated: boolean; primaryIsPersonal: boolean },
): void => {
  const label = category === 'primary' && primaryIsPersonal ? PRIMARY_LABEL : CATEGORY_LABELS[category];
  if (label !== undefined) {
    addNative(plan, { labelIds: [label] }, isNegated);
  } else if (category === 'primary' && !isNegated) {
    plan.excluded.push(...Object.values(CATEGORY_LABELS).map((labelId) => ({ labelIds: [labelId] })));
  } else {
    throw new SearchError(`The sandbox does not know ${isNegated ? '-' : ''}category:${category}.`);
  }
};

const toSizeTest =
  (isSmaller: boolean, bound: number) =>
  (sizeBytes: number): boolean =>
    isSmaller ? sizeBytes < bound : sizeBytes > bound;

/**
 * Attachments "with a certain name or file type", such as `filename:pdf` and `filename:homework.txt`
 * (https://support.google.com/mail/answer/7190, "filename:"): the whole name, its part before the dot, or its ending.
 */
const toFilenameTest = (wanted: string, isNegated: boolean) => {
  if (wanted === '') throw new SearchError('A file name is missing.');
  return (filenames: readonly string[]): boolean => {
    const isFound = filenames.some((filename) => {
      const name = filename.toLowerCase();
      const dot = name.lastIndexOf('.');
      return (
        name === wanted || (dot > 0 && (name.slice(0, dot) === wanted || name.slice(dot + 1) === wanted))
      );
    });
    return isFound !== isNegated;
  };
};

const toBytes = (value: string): number => {
  const [, digits, unit] = value.match(/^(\d+)([km]?)b?$/) ?? [];
  if (digits === undefined) throw new SearchError('A size is a number of bytes, K or M.');
  return Number(digits) * (BYTES_PER_UNIT[unit ?? ''] ?? 1);
};

const toAgeMs = (value: string): number => {
  const [, digits, unit] = value.match(/^(\d+)([dmy])$/) ?? [];
  if (digits === undefined) throw new SearchError('An age is a number followed by d, m or y.');
  return Number(digits) * (DAYS_PER_UNIT[unit ?? ''] ?? 1) * MS_PER_DAY;
};
