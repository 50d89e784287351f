import { createHash } from 'node:crypto';
import type { Plugin } from 'vite';

const WORKER_FILE = 'service-worker.js';
const PLACEHOLDER = '__APP_FILES__';
/** Pages load the fonts of other scripts when they show them. */
const CACHED = /\.(?:js|css)$|latin-wght-normal[^/]*\.woff2$/;
/** The address of each page; the same as in `src/service-worker.ts`. */
const PAGES = { 'index.html': '/?cached', 'sign-in.html': '/sign-in?cached' };

const toRevision = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex').slice(0, 16);

/** Tells the service worker which files the app consists of. */
export const listAppFiles = (): Plugin => ({
  name: 'mailsweep-list-app-files',
  apply: 'build',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      const worker = bundle[WORKER_FILE];
      if (worker?.type !== 'chunk') throw new Error(`The build has no ${WORKER_FILE}.`);
      if (worker.imports.length > 0) throw new Error(`${WORKER_FILE} must be one file.`);
      const assets = Object.keys(bundle).filter((file) => file !== WORKER_FILE && CACHED.test(file));
      const pages = Object.entries(PAGES).map(([file, url]) => {
        const page = bundle[file];
        if (page?.type !== 'asset') throw new Error(`The build has no ${file}.`);
        return { url, revision: toRevision(page.source) };
      });
      const files = [...pages, ...assets.map((file) => ({ url: `/${file}`, revision: null }))];
      worker.code = worker.code.replace(PLACEHOLDER, () => JSON.stringify(files));
    },
  },
});
