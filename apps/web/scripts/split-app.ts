import { fileURLToPath } from 'node:url';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** Imports every component of the library; those of the first screens are in the app's own file. */
const INDEX_OF_COMPONENTS = /\/@mantine\/core\/esm\/index\.mjs$/;

/** Adds a module and its static imports. */
const addImports = (graph: ModuleGraph, id: string, found: Set<string>): Set<string> => {
  if (found.has(id) || INDEX_OF_COMPONENTS.test(id)) return found;
  found.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(graph, imported, found);
  return found;
};

const toPath = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** Loaded without the app: the sign-in, and the service worker, which must be one file. */
const LOADED_ALONE = ['sign-in.html', 'src/service-worker.ts'].map(toPath);
/** Where a sign-in leads. */
const HOME = toPath('src/home/home-screen.tsx');
/** Other screens of most visits. */
const LISTS = [
  'src/inbox/inbox-screen.tsx',
  'src/review/suggestions-screen.tsx',
  'src/senders/senders-screen.tsx',
  'src/history/history-screen.tsx',
].map(toPath);

const readUses = (graph: ModuleGraph) => ({
  alone: LOADED_ALONE.reduce((found, entry) => addImports(graph, entry, found), new Set<string>()),
  home: addImports(graph, HOME, new Set()),
  lists: LISTS.map((screen) => addImports(graph, screen, new Set())),
});
let uses: ReturnType<typeof readUses> | undefined;
const usesIn = (graph: ModuleGraph) => {
  uses ??= readUses(graph);
  return uses;
};

const toSharedFile = (id: string, graph: ModuleGraph): string | null => {
  const { alone, home, lists } = usesIn(graph);
  if (alone.has(id)) return null;
  if (home.has(id)) return 'shared';
  const count = lists.filter((modules) => modules.has(id)).length;
  if (count === 0) return 'later';
  return count > 1 ? 'lists' : null;
};

/**
 * Puts what every visit needs into one file, and what home, lists, and rarer screens share into one each: many small
 * files would cost a slow phone several round trips.
 */
export const APP_FILES = [
  {
    name: (id: string, graph: ModuleGraph) => (usesIn(graph).alone.has(id) ? null : 'app'),
    tags: ['$initial' as const],
    includeDependenciesRecursively: false,
  },
  { name: toSharedFile, minShareCount: 2, includeDependenciesRecursively: false },
];
