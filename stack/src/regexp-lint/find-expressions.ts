import { type ESTree, parseSync, Visitor } from 'rolldown/utils';

/** A regular expression in a source file. */
export interface FoundExpression {
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
export const findExpressions = (file: string, source: string): FoundExpression[] => {
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
