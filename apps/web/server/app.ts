import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import express, { type ErrorRequestHandler, type Express, type RequestHandler } from 'express';
import helmet from 'helmet';
import { API_ORIGIN_PLACEHOLDER, CSP_NONCE_PLACEHOLDER } from './config.ts';
import { readScreenLinks } from './screen-links.ts';

/** Endings of the compressed copies, best first. */
const ENCODINGS = [
  { coding: 'br', ending: '.br' },
  { coding: 'gzip', ending: '.gz' },
];

/**
 * Serves the compressed copy of an asset if the browser accepts it. Needs a static file handler after it.
 *
 * @param directory - read once, as built files do not change
 */
const serveCompressed = (directory: string): RequestHandler => {
  const files = new Set(readdirSync(directory).map((name) => `/${name}`));
  return (request, response, next) => {
    const path = request.path;
    const best = ENCODINGS.find(
      ({ coding, ending }) => files.has(path + ending) && request.acceptsEncodings(coding) !== false,
    );
    response.vary('accept-encoding');
    if (best) {
      request.url = path + best.ending;
      response.type(extname(path)).set('content-encoding', best.coding);
    }
    next();
  };
};

/**
 * The policy of every page (W3C CSP Level 3): scripts from our own files only. The component library writes `style`
 * elements, which carry the nonce, and `style` attributes, which only `style-src-attr` can allow; attributes load
 * nothing under this policy.
 *
 * @param input.apiOrigin - the only other origin that the page may reach
 * @param input.nonce - fresh for each response
 */
const toContentSecurityPolicy = (input: { apiOrigin: string; nonce: string }): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${input.nonce}'`,
    "style-src-attr 'unsafe-inline'",
    `connect-src 'self' ${input.apiOrigin}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Responds where the router or a file cannot: 4xx as they are, anything else as 500. Sends nothing of the error. */
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
/** Built assets have a hash of their content in their name. Unit: seconds. */
const HASHED_ASSET_MAX_AGE_SECONDS = 365 * 24 * 3600;

const NO_CACHE = { 'cache-control': 'no-cache' };

/** @param input.linksOf - values of the `Link` header for an address */
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

/** Sets the policy on every response, however a page's address is spelled. */
const createPolicyHeader =
  (apiOrigin: string): RequestHandler =>
  (_request, response, next) => {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    response.locals.nonce = nonce;
    response.set('content-security-policy', toContentSecurityPolicy({ apiOrigin, nonce }));
    next();
  };

/**
 * The web server: the built files, the sign-in's page, and the app's page for every other address.
 *
 * @param input.directory - the folder that `vite build` wrote
 * @param input.apiOrigin - written into the page and allowed by the policy
 */
export const createWebApp = (input: { directory: string; apiOrigin: string }): Express => {
  const app = express();
  app.disable('x-powered-by');
  // A page's headers would be larger than many of these files, and they need none.
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
  // Many run plain http on their own machine; the proxy that ends TLS sets transport security.
  app.use(
    helmet({
      contentSecurityPolicy: false,
      strictTransportSecurity: false,
      referrerPolicy: { policy: 'no-referrer' },
      // Repeats the policy's frame-ancestors for old browsers.
      xFrameOptions: { action: 'deny' },
    }),
  );

  app.use(createPolicyHeader(input.apiOrigin));
  app.get('/health', (_request, response) => {
    response.set('cache-control', 'no-store').json({ status: 'ok' });
  });
  const { directory, apiOrigin } = input;
  // Before the static files, which would send the placeholders.
  app.get(['/sign-in', '/sign-in.html'], servePage({ file: join(directory, 'sign-in.html'), apiOrigin }));
  const linksOf = readScreenLinks(input);
  const serveApp = servePage({ file: join(directory, 'index.html'), apiOrigin, linksOf });
  app.get('/index.html', serveApp);
  // The name stays the same, so a cached one would hide a deploy.
  app.get('/service-worker.js', (_request, response) => {
    response.sendFile(join(input.directory, 'service-worker.js'), { cacheControl: false, headers: NO_CACHE });
  });
  app.use(express.static(input.directory, { index: false, maxAge: 3_600_000 }));
  app.get('/{*path}', serveApp);
  app.use(respondToError);
  return app;
};
