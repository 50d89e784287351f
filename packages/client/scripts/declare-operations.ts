import { join } from 'node:path';
import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { API, type Checker, NodeBuilderFlags, type Symbol as TypeSymbol } from 'typescript/unstable/sync';

const ROOT = join(import.meta.dirname, '../../..');
/** Types that no operation names. */
const OTHER_TYPES = ['Problem', 'ProblemCode'];
/** A shorter type says more than its name. */
const SHORTEST_NAMED_TYPE = 30;
/** What the compiler does not spell out, as it refers to itself. */
const RECURSIVE_TYPES = {
  JSONType: 'string | number | boolean | null | JSONType[] | { [key: string]: JSONType }',
};
const GLOBAL_TYPES = ['Partial', 'Record'];

const spellOut = (checker: Checker, symbol: TypeSymbol, isProperty: boolean): string => {
  const type = isProperty ? checker.getTypeOfSymbol(symbol) : checker.getDeclaredTypeOfSymbol(symbol);
  if (!type) throw new Error(`The type of ${symbol.name} is unknown.`);
  return checker.typeToString(type, undefined, NodeBuilderFlags.NoTruncation | NodeBuilderFlags.InTypeAlias);
};

/** The types that the contracts export, by name; of two names of one type the shorter one. */
const listNamedTypes = (
  checker: Checker,
  exported: readonly TypeSymbol[],
): [name: string, text: string][] => {
  const names = new Map<string, string>();
  for (const symbol of exported) {
    if (symbol.name === 'Operations' || !/^[A-Z][a-z]/.test(symbol.name)) continue;
    const text = spellOut(checker, symbol, false);
    const twin = names.get(text);
    if (twin === undefined || symbol.name.length < twin.length) names.set(text, symbol.name);
  }
  return [...names]
    .map(([text, name]): [string, string] => [name, text])
    .filter(([name, text]) => text.length >= SHORTEST_NAMED_TYPE || OTHER_TYPES.includes(name));
};

const namesIn = (text: string): string[] =>
  (text.replace(/"[^"]*"/g, '').match(/\b[A-Z]\w+/g) ?? []).filter((name) => !GLOBAL_TYPES.includes(name));

/** The text of each type that these names need, and of what those need. */
const collect = (
  names: readonly string[],
  types: ReadonlyMap<string, string>,
  found = new Map<string, string>(),
): Map<string, string> => {
  for (const name of names.filter((candidate) => !found.has(candidate))) {
    const text = types.get(name);
    if (text === undefined) throw new Error(`The declarations would need ${name}, which they do not have.`);
    found.set(name, text);
    collect(namesIn(text), types, found);
  }
  return found;
};

const render = (checker: Checker, exported: readonly TypeSymbol[]): string => {
  const operations = exported.find(({ name }) => name === 'Operations');
  if (!operations) throw new Error('There is no type Operations.');
  const named = listNamedTypes(checker, exported).toSorted(([, one], [, other]) => other.length - one.length);
  /** Puts names in place of the parts of a type that have one, the longest part first. */
  const shorten = (text: string, own?: string): string =>
    named.reduce((rest, [name, part]) => (name === own ? rest : rest.replaceAll(part, name)), text);

  const members = checker
    .getPropertiesOfType(checker.getDeclaredTypeOfSymbol(operations))
    .map((operation) => ({ id: operation.name, text: shorten(spellOut(checker, operation, true)) }));
  const types = new Map([
    ...named.map(([name, text]): [string, string] => [name, shorten(text, name)]),
    ...Object.entries(RECURSIVE_TYPES),
  ]);
  const needed = collect([...OTHER_TYPES, ...members.flatMap(({ text }) => namesIn(text))], types);
  const routes: Record<string, RouteContract> = API_ROUTES;
  return [
    ...[...needed].toSorted().map(([name, text]) => `export type ${name} = ${text};`),
    '/** What each operation of the API takes and returns. */',
    'export interface Operations {',
    ...members.flatMap(({ id, text }) => [
      `  /** ${routes[id]?.summary}: \`${routes[id]?.method.toUpperCase()} ${routes[id]?.path}\` */`,
      `  ${id}: ${text};`,
    ]),
    '}',
    '',
  ].join('\n');
};

/**
 * Spells out the types of `operations.ts`. The declarations then name neither the contracts nor the library of their schemas,
 * so that the package needs no other one for its types.
 *
 * @param file - its path
 * @returns the text of its declarations
 * @throws when a type can't be spelled out
 */
export const declareOperations = (file: string): string => {
  const api = new API({ cwd: ROOT });
  try {
    const config = join(ROOT, 'tsconfig.json');
    const project = api.updateSnapshot({ openProjects: [config] }).getProject(config);
    const source = project?.program.getSourceFile(file);
    const module = source && project?.checker.getSymbolAtLocation(source);
    if (!(project && module)) throw new Error(`The compiler does not know ${file}.`);
    return render(project.checker, project.checker.getExportsOfModule(module));
  } finally {
    api.close();
  }
};
