import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

interface ModuleGraph {
  getModuleInfo(id: string): { importedIds: readonly string[] } | null;
}

/** What is loaded without the app: the sign-in, and the service worker, which has to be one file. */
const LOADED_ALONE = ['sign-in.html', 'src/service-worker.ts'].map((file) =>
  fileURLToPath(new URL(`../${file}`, import.meta.url)),
);

/** Adds a module and everything that it imports at once. */
const addImports = (graph: ModuleGraph, id: string, found: Set<string>): Set<string> => {
  if (found.has(id)) return found;
  found.add(id);
  for (const imported of graph.getModuleInfo(id)?.importedIds ?? []) addImports(graph, imported, found);
  return found;
};

let alone: Set<string> | undefined;
const isOfApp = (id: string, graph: ModuleGraph): boolean => {
  alone ??= LOADED_ALONE.reduce((found, entry) => addImports(graph, entry, found), new Set<string>());
  return !alone.has(id);
};

/** The file that several screens need. */
const SHARED = 'shared';

/**
 * Puts what every visit needs into one file, and what several screens share into another. Many small files would take a
 * slow phone several round trips.
 */
export const APP_FILES = [
  {
    name: (id: string, graph: ModuleGraph) => (isOfApp(id, graph) ? 'app' : null),
    tags: ['$initial' as const],
    includeDependenciesRecursively: false,
  },
  {
    name: (id: string, graph: ModuleGraph) => (isOfApp(id, graph) ? SHARED : null),
    minShareCount: 2,
    includeDependenciesRecursively: false,
  },
];

/** Loads the app's two files at once, but after the styles, without which nothing is painted. */
export const loadApp = (): Plugin => ({
  name: 'mailsweep-load-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path, bundle }) => {
      if (path !== '/index.html') return html;
      const shared = Object.values(bundle ?? {}).find(
        ({ type, name }) => type === 'chunk' && name === SHARED,
      );
      if (!shared) throw new Error(`The build has no chunk ${SHARED}.`);
      return {
        html: html.replace('<script type="module"', '<script fetchpriority="low" type="module"'),
        tags: [
          {
            tag: 'link',
            attrs: {
              rel: 'modulepreload',
              crossorigin: true,
              fetchpriority: 'low',
              href: `/${shared.fileName}`,
            },
            injectTo: 'head',
          },
        ],
      };
    },
  },
});
