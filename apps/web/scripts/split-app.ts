import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** It imports every component of the library; those of the first screens are in the app's own file. */
const INDEX_OF_COMPONENTS = /\/@mantine\/core\/esm\/index\.mjs$/;

/** Adds a module and everything that it imports at once. */
const addImports = (graph: ModuleGraph, id: string, found: Set<string>): Set<string> => {
  if (found.has(id) || INDEX_OF_COMPONENTS.test(id)) return found;
  found.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(graph, imported, found);
  return found;
};

const toPath = (file: string): string => fileURLToPath(new URL(`../${file}`, import.meta.url));

/** What is loaded without the app: the sign-in, and the service worker, which has to be one file. */
const LOADED_ALONE = ['sign-in.html', 'src/service-worker.ts'].map(toPath);
/** Where a sign-in leads. */
const HOME = toPath('src/home/home-screen.tsx');
/** The other screens that most visits see. */
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
 * Puts what every visit needs into one file; what home, what the lists, and what dialogs and rarer screens share with
 * others into one each. Many small files would take a slow phone several round trips.
 */
export const APP_FILES = [
  {
    name: (id: string, graph: ModuleGraph) => (usesIn(graph).alone.has(id) ? null : 'app'),
    tags: ['$initial' as const],
    includeDependenciesRecursively: false,
  },
  {
    name: toSharedFile,
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/** Loads the app after the styles, without which nothing is painted. The server adds the files of the screen. */
export const loadApp = (): Plugin => ({
  name: 'mailsweep-load-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path }) =>
      path === '/index.html'
        ? html.replace('<script type="module"', '<script fetchpriority="low" type="module"')
        : html,
  },
});
