import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** The part of the app that every visit needs. */
const APP_MODULE = '/src/start-app.tsx';
/** What reads the first answers of the screens that ask for more than every visit does. */
const CALLS_MODULES: Record<string, string> = {
  suggestions: '/src/api/mailbox-calls.ts',
  senders: '/src/api/mailbox-calls.ts',
  history: '/src/api/record-calls.ts',
  activity: '/src/api/record-calls.ts',
  settings: '/src/api/account-calls.ts',
};
/** A screen; its folder has the name of its address. */
const SCREEN_MODULE = /\/src\/(\w+)\/\1-screen\.tsx$/;

type Chunks = ReadonlyMap<string, Rolldown.OutputChunk>;

const isChunk = (output: Rolldown.OutputAsset | Rolldown.OutputChunk): output is Rolldown.OutputChunk =>
  output.type === 'chunk';

/** A chunk and everything that it can't run without, each once. */
const withImports = (chunks: Chunks, file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found;
  found.add(file);
  for (const imported of chunks.get(file)?.imports ?? []) withImports(chunks, imported, found);
  return found;
};

const stylesOf = (chunks: Chunks, file: string): string[] => [
  ...(chunks.get(file)?.viteMetadata?.importedCss ?? []),
];

const toAppTags = (chunks: Chunks, file: string): HtmlTagDescriptor[] => [
  // Behind the styles, without which nothing is painted.
  {
    tag: 'link',
    attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${file}` },
    injectTo: 'head',
  },
  ...stylesOf(chunks, file).map(
    (style): HtmlTagDescriptor => ({
      tag: 'link',
      attrs: { rel: 'stylesheet', crossorigin: true, href: `/${style}` },
      injectTo: 'head',
    }),
  ),
];

/** The files of each screen that the app does not bring, by address; `src/preload-screen.ts` reads them. */
const toScreenFiles = (chunks: Chunks, appFiles: ReadonlySet<string>): Record<string, string[]> => {
  const callsOf = (screen: string): Rolldown.OutputChunk | undefined => {
    const calls = CALLS_MODULES[screen];
    return [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => calls && id.endsWith(calls)));
  };
  const screens = [...chunks.values()].flatMap(({ fileName, facadeModuleId }): [string, string[]][] => {
    const name = facadeModuleId?.match(SCREEN_MODULE)?.[1];
    if (!name || appFiles.has(fileName)) return [];
    const files = withImports(chunks, fileName);
    const calls = callsOf(name);
    if (calls) withImports(chunks, calls.fileName, files);
    const scripts = [...files].filter((file) => !appFiles.has(file));
    return [[`/${name}`, [...scripts, ...scripts.flatMap((file) => stylesOf(chunks, file))]]];
  });
  return Object.fromEntries(
    screens.map(([place, files]) => [place, [...new Set(files)].map((file) => `/${file}`)]),
  );
};

/**
 * Names the app's files in the page, so that they are on their way while the page is painted for the first time;
 * the code that asks for them comes only after that. The files of each screen stand there too, for the page's own
 * script, which knows the address.
 */
export const preloadApp = (): Plugin => ({
  name: 'mailsweep-preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle, path }) => {
      if (path !== '/index.html') return html;
      const chunks: Chunks = new Map(
        Object.values(bundle ?? {})
          .filter(isChunk)
          .map((chunk) => [chunk.fileName, chunk]),
      );
      const app = [...chunks.values()].find(({ facadeModuleId }) => facadeModuleId?.endsWith(APP_MODULE));
      if (!app) throw new Error(`The build has no chunk for ${APP_MODULE}.`);
      const appFiles = withImports(chunks, app.fileName);
      const screenFiles = JSON.stringify(toScreenFiles(chunks, appFiles));
      return [
        { tag: 'meta', attrs: { name: 'screen-files', content: screenFiles }, injectTo: 'head-prepend' },
        ...[...appFiles].filter((file) => !html.includes(file)).flatMap((file) => toAppTags(chunks, file)),
      ];
    },
  },
});
