import { createRequire } from 'node:module';
import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

interface FoundExpression {
  line: number;
  /** As the source spells it. */
  text: string;
  /** Undefined if the expression is put together at run time. */
  literal?: { source: string; flags: string };
}

/**
 * Finds the regular expressions of a source file: literals, and calls of `RegExp` with or without `new`.
 *
 * @param file - the path, whose extension gives the language
 * @throws Error if the file cannot be parsed
 */
const findExpressions = (file: string, source: string): FoundExpression[] => {
  const { program, errors } = parseSync(file, source);
  if (errors[0] !== undefined) throw new Error(`${file}: ${errors[0].message}`);
  const found: FoundExpression[] = [];
  const add = ({ start, end }: ESTree.Node, literal: FoundExpression['literal']) => {
    const line = source.slice(0, start).split('\n').length;
    found.push({ line, text: source.slice(start, end), ...(literal && { literal }) });
  };
  const addConstruction = (node: ESTree.NewExpression | ESTree.CallExpression) => {
    if (node.callee.type === 'Identifier' && node.callee.name === 'RegExp') add(node, readArguments(node));
  };
  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, { source: node.regex.pattern, flags: node.regex.flags });
    },
    NewExpression: addConstruction,
    CallExpression: addConstruction,
  }).visit(program);
  return found;
};

const readArguments = ({ arguments: [pattern, flags] }: ESTree.NewExpression | ESTree.CallExpression) => {
  const source = readText(pattern);
  const flagText = flags === undefined ? '' : readText(flags);
  return source === undefined || flagText === undefined ? undefined : { source, flags: flagText };
};

const readText = (node: ESTree.Argument | undefined): string | undefined => {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    return node.quasis[0]?.value.cooked ?? undefined;
  return undefined;
};

/** Recheck's JavaScript engine; the package's main module would look for a Java or a native one. */
const { checkSync } = createRequire(import.meta.url)('recheck/lib/browser.js') as typeof import('recheck');

/** Recheck's own time limits would make the result depend on the machine's load. All in milliseconds. */
const TIME_LIMITS = { timeout: 60_000, attackTimeout: null, incubationTimeout: null, seedingTimeout: null };

/** An expression that may take more than linear time on some input, or that cannot be checked. */
interface SlowExpression extends FoundExpression {
  reason: string;
}

const explain = (source: string, flags: string): string | undefined => {
  const result = checkSync(source, flags, TIME_LIMITS);
  if (result.status === 'safe') return undefined;
  if (result.status === 'unknown') return `cannot be checked (${result.error.kind})`;
  const { complexity, attack } = result;
  const input = attack.pumps.map(({ pump }) => JSON.stringify(pump)).join(' and ');
  return `${complexity.summary} time on repetitions of ${input}`;
};

/**
 * Builds the check for regular expressions that hostile input can slow down: those that backtrack, and those that scan
 * the rest of a long run from each of its positions, as `\s+$` does on spaces. Equal expressions are analysed once.
 *
 * @returns a function that throws Error if it cannot parse the source
 */
export const createSlowExpressionCheck = () => {
  const reasons = new Map<string, string | undefined>();

  const findReason = ({ literal }: FoundExpression): string | undefined => {
    if (literal === undefined) return 'built at run time, so it cannot be checked';
    const key = `/${literal.source}/${literal.flags}`;
    if (!reasons.has(key)) reasons.set(key, explain(literal.source, literal.flags));
    return reasons.get(key);
  };

  return (file: string, source: string): SlowExpression[] =>
    findExpressions(file, source).flatMap((expression) => {
      const reason = findReason(expression);
      return reason === undefined ? [] : [{ ...expression, reason }];
    });
};
