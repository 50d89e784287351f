import { type Plugin, parseSync, type Rolldown, Visitor } from 'vite';

const ROUTES = /\/packages\/contracts\/src\/routes\/[^?]+\.ts$/;
const CONTRACTS = /\/packages\/contracts\/src\/[^?]+\.ts$/;
const VALIDATION_LIBRARY = /\/node_modules\/zod\//;
/** What a route's contract has for the API alone; the app takes its types from them, which no build contains. */
const SCHEMAS_OF_ROUTE = new Set(['query', 'body', 'params', 'response']);

interface Edit {
  at: number;
  /** Characters to leave out. */
  cut?: number;
  add?: string;
}

const edit = (code: string, edits: Edit[]): string =>
  // From the end, so that earlier places stay.
  edits
    .sort((a, b) => b.at - a.at)
    .reduce((text, { at, cut = 0, add = '' }) => text.slice(0, at) + add + text.slice(at + cut), code);

/** Leaves method, path and options of each route. */
const withoutSchemas = (fileName: string, code: string): string => {
  const edits: Edit[] = [];
  new Visitor({
    Property: ({ key, start, end }) => {
      if (key.type !== 'Identifier' || !SCHEMAS_OF_ROUTE.has(key.name)) return;
      const comma = code[end] === ',' ? 1 : 0;
      edits.push({ at: start, cut: end - start + comma });
    },
  }).visit(parseSync(fileName, code).program);
  return edit(code, edits);
};

/** Marks how each schema is made as free of side effects, so that the bundler drops those that nobody uses. */
const withPureSchemas = (fileName: string, code: string): string => {
  const edits: Edit[] = [];
  for (const statement of parseSync(fileName, code).program.body) {
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration') continue;
    for (const { init } of declaration.declarations) {
      if (init?.type === 'CallExpression' || init?.type === 'ObjectExpression')
        edits.push({ at: init.start, add: '/* @__PURE__ */ (() => (' }, { at: init.end, add: '))()' });
    }
  }
  return edit(code, edits);
};

const contains = (chunk: Rolldown.OutputChunk, library: RegExp): boolean =>
  Object.entries(chunk.modules).some(([id, { renderedLength }]) => library.test(id) && renderedLength > 0);

/**
 * Leaves the contract's schemas and the validation library out of the app, which trusts what the API of its own origin
 * sends: a slow phone needs as long for them as for a whole screen.
 *
 * @throws if the app still contains the validation library
 */
export const dropSchemas = (): Plugin => ({
  name: 'mailsweep-drop-schemas',
  apply: 'build',
  enforce: 'pre',
  transform: {
    filter: { id: CONTRACTS },
    handler: (code, id) => ({
      code: withPureSchemas(id, ROUTES.test(id) ? withoutSchemas(id, code) : code),
      map: null,
    }),
  },
  generateBundle(_options, bundle) {
    for (const output of Object.values(bundle)) {
      if (output.type === 'chunk' && contains(output, VALIDATION_LIBRARY))
        throw new Error(`${output.fileName} contains the validation library.`);
    }
  },
});
