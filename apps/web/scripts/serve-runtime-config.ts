import type { Plugin } from 'vite';
import { parseWebServerConfig } from '../server/config.ts';

/** Lets the dev server answer `/config.json` as the production server does; reads the same variables. */
export const serveRuntimeConfig = (): Plugin => ({
  name: 'mailsweep-runtime-config',
  apply: 'serve',
  configureServer: (server) => {
    const { apiOrigin } = parseWebServerConfig();
    server.middlewares.use('/config.json', (_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ apiOrigin }));
    });
  },
});
