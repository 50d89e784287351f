import type { Plugin } from 'vite';

/** Lets the dev server respond to `/sign-in` with the page that the production server has there. */
export const serveSignInPage = (): Plugin => ({
  name: 'mailsweep-sign-in-page',
  apply: 'serve',
  configureServer: ({ middlewares }) => {
    middlewares.use((request, _response, next) => {
      request.url = request.url?.replace(/^\/sign-in(?=\?|$)/, '/sign-in.html');
      next();
    });
  },
});

/** Holds the first paint of the sign-in until its few lines have run: the notice that they show moves what is below. */
export const paintSignInWithNotice = (): Plugin => ({
  name: 'mailsweep-sign-in-notice',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { path }) =>
      path === '/sign-in.html'
        ? html.replace('<script type="module"', '<script blocking="render" type="module"')
        : html,
  },
});
