/** A search as a tree; a term is a word, a phrase or an operator with its value. */
export type SearchExpression =
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
export const parseSearch = (q: string): SearchExpression => {
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
