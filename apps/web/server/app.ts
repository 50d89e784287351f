import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { toContentSecurityPolicy } from './content-security-policy.ts';
import { API_ORIGIN_PLACEHOLDER, CSP_NONCE_PLACEHOLDER } from './placeholders.ts';
import { readScreenLinks } from './screen-links.ts';
import { serveCompressed } from './serve-compressed.ts';

/** Responds where the router or a file cannot: 4xx as they are, anything else as 500. Nothing of the error is sent. */
const respondToError: ErrorRequestHandler = (error: { status?: unknown }, _request, response, next) => {
  if (response.headersSent) return next(error);
  const isClientError = typeof error.status === 'number' && error.status >= 400 && error.status < 500;
  const status = isClientError ? (error.status as number) : 500;
  response
    .status(status)
    .type('text')
    .send(isClientError ? 'Bad request' : 'Internal server error');
};

const NONCE_BYTES = 16;
/** Built assets carry a hash of their content in their name, so that they never change. Unit: seconds. */
const HASHED_ASSET_MAX_AGE_SECONDS = 365 * 24 * 3600;

const NO_CACHE = { 'cache-control': 'no-cache' };

/** @param input.linksOf - links to what the page at an address needs, beside what it names itself */
const servePage = (input: {
  file: string;
  apiOrigin: string;
  linksOf?: (address: string) => readonly string[];
}): RequestHandler => {
  const html = readFileSync(input.file, 'utf8');
  const pieces = html.replaceAll(API_ORIGIN_PLACEHOLDER, input.apiOrigin).split(CSP_NONCE_PLACEHOLDER);
  const connect = `<${input.apiOrigin}>; rel=preconnect; crossorigin=use-credentials`;
  return (request, response) => {
    response
      .set(NO_CACHE)
      .set('link', [connect, ...(input.linksOf?.(request.originalUrl) ?? [])].join(', '))
      .type('html')
      .send(pieces.join(response.locals.nonce));
  };
};

/** Gives every response the policy, so that no spelling of a page's address is without. */
const createPolicyHeader =
  (apiOrigin: string): RequestHandler =>
  (_request, response, next) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    response.locals.nonce = nonce;
    response.set('content-security-policy', toContentSecurityPolicy({ apiOrigin, nonce }));
    next();
  };

/**
 * The web server: the built files, compressed beforehand, the sign-in's page, and the app's for every other address.
 *
 * @param input.directory - the folder that `vite build` wrote
 * @param input.apiOrigin - written into the page and allowed by the policy
 */
export const createWebApp = (input: { directory: string; apiOrigin: string }): Express => {
  const app = express();
  app.disable('x-powered-by');
  // Scripts, styles and fonts need none of a page's headers, which would be larger than many of these files.
  app.use(
    '/assets',
    helmet.xContentTypeOptions(),
    helmet.crossOriginResourcePolicy(),
    serveCompressed(join(input.directory, 'assets')),
    express.static(join(input.directory, 'assets'), {
      immutable: true,
      maxAge: HASHED_ASSET_MAX_AGE_SECONDS * 1000,
      index: false,
    }),
    (_request, response) => {
      response.status(404).type('text').send('Not found');
    },
  );
  // Plain http is usual on a machine of one's own, so transport security stays with the proxy that ends TLS.
  app.use(
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      // As the policy's frame-ancestors say, for those that do not know them.
      xFrameOptions: { action: 'deny' },
    }),
  );

  app.use(createPolicyHeader(input.apiOrigin));
  app.get('/health', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  const { directory, apiOrigin } = input;
  // Before the static files, which would send the page with its placeholders.
  app.get(['/sign-in', '/sign-in.html'], servePage({ file: join(directory, 'sign-in.html'), apiOrigin }));
  const linksOf = readScreenLinks(input);
  const serveApp = servePage({ file: join(directory, 'index.html'), apiOrigin, linksOf });
  app.get('/index.html', serveApp);
  // The name of the service worker stays the same, so that a cached one would hide a deploy.
  app.get('/service-worker.js', (_request, response) => {
    response.sendFile(join(input.directory, 'service-worker.js'), { cacheControl: false, headers: NO_CACHE });
  });
  app.use(express.static(input.directory, { index: false, maxAge: 3_600_000 }));
  app.get('/{*path}', serveApp);
  app.use(respondToError);
  return app;
};
