import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import express, { type Router } from 'express';

/** The files of the documentation page that come from the `swagger-ui-dist` package. */
const ASSETS = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;

const page = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="docs/favicon-32x32.png">
<link rel="stylesheet" href="docs/swagger-ui.css">
</head>
<body>
<div id="docs"></div>
<script src="docs/swagger-ui-bundle.js"></script>
<script src="docs/start.js"></script>
</body>
</html>
`;

const START_SCRIPT = `SwaggerUIBundle({
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

/** What the page may load: its own files, and the styles that Swagger UI writes as it renders. */
const CONTENT_SECURITY_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/**
 * Serves interactive documentation at `/docs` and the document itself at `/openapi.json`, with no file from
 * anywhere else.
 *
 * @param options.document - an OpenAPI 3.1 document
 */
export const createDocsRouter = (options: { document: { info: { title: string } } }): Router => {
  const assetsDir = createRequire(import.meta.url)
    .resolve('swagger-ui-dist/package.json')
    .replace(/package\.json$/, '');
  const router = express.Router();
  const html = page(options.document.info.title);
  const document = JSON.stringify(options.document);
  router.get('/openapi.json', (_request, response) => {
    response.type('json').send(document);
  });
  router.get('/docs', (request, response) => {
    // The page names its files relative to its own address, so that it also works below another path.
    if (request.path.endsWith('/')) return response.redirect(301, '../docs');
    response.set('content-security-policy', CONTENT_SECURITY_POLICY).type('html').send(html);
  });
  router.get('/docs/start.js', (_request, response) => {
    response.type('js').send(START_SCRIPT);
  });
  for (const asset of ASSETS) {
    const content = readFileSync(join(assetsDir, asset));
    router.get(`/docs/${asset}`, (_request, response) => {
      response
        .set('cache-control', 'public, max-age=86400')
        .type(asset.slice(asset.lastIndexOf('.')))
        .send(content);
    });
  }
  return router;
};
