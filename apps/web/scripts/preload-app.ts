import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** The part of the app that every visit needs. */
const APP_MODULE = '/src/start-app.tsx';

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

/** A chunk and everything that it imports, each once. */
const withImports = (chunks: Chunks, file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of chunks.get(file)?.imports ?? []) withImports(chunks, imported, found);
  return found;
};

const toTags = (chunks: Chunks, file: string): HtmlTagDescriptor[] => [
  // Behind the styles, without which nothing is painted.
  {
    tag: 'link',
    attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${file}` },
    injectTo: 'head',
  },
  ...[...(chunks.get(file)?.viteMetadata?.importedCss ?? [])].map(
    (style): HtmlTagDescriptor => ({
      tag: 'link',
      attrs: { rel: 'stylesheet', crossorigin: true, href: `/${style}` },
      injectTo: 'head',
    }),
  ),
];

/** Names the app's files in the page, so that they are on their way while the page is painted for the first time. */
export const preloadApp = (): Plugin => ({
  name: 'mailsweep-preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle, path }) => {
      if (path !== '/index.html') return html;
      const outputs = Object.values(bundle ?? {}).filter((output) => output.type === 'chunk');
      const chunks: Chunks = new Map(outputs.map((chunk) => [chunk.fileName, chunk]));
      const app = outputs.find(({ facadeModuleId }) => facadeModuleId?.endsWith(APP_MODULE));
      if (!app) throw new Error(`The build has no chunk for ${APP_MODULE}.`);
      const files = [...withImports(chunks, app.fileName)].filter((file) => !html.includes(file));
      return files.flatMap((file) => toTags(chunks, file));
    },
  },
});
