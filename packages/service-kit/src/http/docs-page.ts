import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import express, { type Router } from 'express';

/** The files of the documentation page that come from the `swagger-ui-dist` package. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

/** How long a browser may keep them, in seconds. */
const ASSET_MAX_AGE_S = 86_400;

/** Leaves out what says nothing here (the only server, links between operations), and keeps lines of text readable. */
const STYLES = `
body { margin: 0; }
.swagger-ui .wrapper { max-width: 1100px; }
.swagger-ui .info { margin: 32px 0 16px; }
.swagger-ui .info p, .swagger-ui .opblock-description-wrapper p { max-width: 80ch; margin-inline: 0; line-height: 1.5; }
.swagger-ui .renderedMarkdown code { color: inherit; font-weight: 500; }
.samples { padding: 0 20px 12px; }
.swagger-ui .samples pre { margin: 0 0 8px; padding: 8px 12px; overflow-x: auto; border-radius: 4px; background: #f3f4f6; font: 12px/1.5 ui-monospace, monospace; }
.swagger-ui .scheme-container { margin: 0; padding: 0 0 16px; background: none; box-shadow: none; }
.swagger-ui .scheme-container .servers-title, .swagger-ui .scheme-container .servers, .swagger-ui .response-col_links { display: none; }
`;

const page = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
<style>${STYLES}</style>
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI does not show `x-codeSamples`, which other pages do. */
const START_SCRIPT = `// What operations have returned is not shown to the next user by the Back button.
addEventListener('pagehide', () => { document.body.style.visibility = 'hidden'; });
addEventListener('pageshow', ({ persisted }) => { if (persisted) location.reload(); });

const showSamples = (Parameters, { React }) => (props) => {
  const samples = props.operation.get('x-codeSamples')?.toJS() ?? [];
  const show = ({ label, source }) => React.createElement('pre', { key: label, 'aria-label': label }, source);
  return React.createElement(
    React.Fragment,
    null,
    samples.length > 0 && React.createElement('div', { className: 'samples' }, samples.map(show)),
    React.createElement(Parameters, props),
  );
};

SwaggerUIBundle({
  plugins: [() => ({ wrapComponents: { parameters: showSamples } })],
  url: 'openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  withCredentials: true,
  validatorUrl: null,
});
`;

/** What the page may load: its own files, and the styles that it and Swagger UI write into it. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves interactive documentation at `/docs` and the document itself at `/openapi.json`, with no file from
 * anywhere else. Nothing is built or read before the first request: most processes never get one.
 *
 * @param options.createDocument - makes an OpenAPI 3.1 document; called once at most
 */
export const createDocsRouter = (options: { title: string; createDocument: () => object }): Router => {
  const router = express.Router();
  let document: string | undefined;
  router.get('/openapi.json', (_request, response) => {
    document ??= JSON.stringify(options.createDocument());
    response.type('json').send(document);
  });
  router.get('/docs', (request, response) => {
    // The page names its files relative to its own address, so that it also works below another path.
    if (request.path.endsWith('/')) return response.redirect(301, '../docs');
    response.set('content-security-policy', CONTENT_SECURITY_POLICY).type('html').send(page(options.title));
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START_SCRIPT);
  });
  const root = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
  for (const asset of ASSETS) {
    // All responses share one buffer: clients that do not read them take no memory, and none reads the disk.
    let content: Promise<Buffer> | undefined;
    router.get(`/docs/${asset}`, async (_request, response) => {
      content ??= readFile(join(root, asset));
      response
        .type(extname(asset))
        .set('cache-control', `public, max-age=${ASSET_MAX_AGE_S}`)
        .send(await content);
    });
  }
  return router;
};
