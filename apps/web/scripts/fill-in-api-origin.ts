import type { Plugin } from 'vite';
import { parseWebServerConfig } from '../server/config.ts';
import { API_ORIGIN_PLACEHOLDER } from '../server/placeholders.ts';

/** Lets the dev server write the API's origin into the page as the production server does; reads the same variables. */
export const fillInApiOrigin = (): Plugin => ({
  name: 'mailsweep-api-origin',
  apply: 'serve',
  transformIndexHtml: (html) => html.replaceAll(API_ORIGIN_PLACEHOLDER, parseWebServerConfig().apiOrigin),
});
