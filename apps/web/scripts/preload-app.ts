import type { HtmlTagDescriptor, Plugin, Rolldown } from 'vite';

/** The part of the app that every visit needs. */
const APP_MODULE = '/src/start-app.tsx';

const toTags = (file: string, styles: Iterable<string>): HtmlTagDescriptor[] => [
  // Behind the styles, without which nothing is painted.
  {
    tag: 'link',
    attrs: { rel: 'modulepreload', crossorigin: true, fetchpriority: 'low', href: `/${file}` },
    injectTo: 'head',
  },
  ...[...styles].map(
    (style): HtmlTagDescriptor => ({
      tag: 'link',
      attrs: { rel: 'stylesheet', crossorigin: true, href: `/${style}` },
      injectTo: 'head',
    }),
  ),
];

const isChunk = (output: Rolldown.OutputAsset | Rolldown.OutputChunk): output is Rolldown.OutputChunk =>
  output.type === 'chunk';

/**
 * Names the app's files in the page, so that they are on their way while the page is painted for the first time;
 * the code that asks for them comes only after that.
 */
export const preloadApp = (): Plugin => ({
  name: 'mailsweep-preload-app',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const chunks = Object.values(bundle ?? {}).filter(isChunk);
      const app = chunks.find((chunk) => chunk.facadeModuleId?.endsWith(APP_MODULE));
      return [...(app ? [app.fileName, ...app.imports] : [])]
        .filter((file) => !html.includes(file))
        .flatMap((file) =>
          toTags(file, chunks.find((chunk) => chunk.fileName === file)?.viteMetadata?.importedCss ?? []),
        );
    },
  },
});
