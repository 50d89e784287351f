import type { Plugin } from 'vite';
import { API_ORIGIN_PLACEHOLDER, parseWebServerConfig } from '../server/config.ts';

/** Serves the pages in development as the production server does. Reads the same variables. */
export const servePages = (): Plugin => ({
  name: 'mailsweep-serve-pages',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/sign-in(?=\?|$)/, '/sign-in.html');
      next();
    });
  },
  transformIndexHtml: (html) => html.replaceAll(API_ORIGIN_PLACEHOLDER, parseWebServerConfig().apiOrigin),
});

/**
 * When each page loads its script: the app after the styles, which the first paint needs; the sign-in before the first
 * paint, as its notice moves what is below. The server adds the files of a screen.
 */
const SCRIPT_ATTRIBUTES: Record<string, string> = {
  '/index.html': 'fetchpriority="low"',
  '/sign-in.html': 'blocking="render"',
};

export const orderScripts = (): Plugin => ({
  name: 'mailsweep-order-scripts',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path }) =>
      html.replace('<script type="module"', `<script ${SCRIPT_ATTRIBUTES[path]} type="module"`),
  },
});
