import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileEnglish } from './scripts/compile-english.ts';
import { fillInApiOrigin } from './scripts/fill-in-api-origin.ts';
import { keepOldAssets } from './scripts/keep-old-assets.ts';
import { listAppFiles } from './scripts/list-app-files.ts';
import { usePreact } from './scripts/preact.ts';
import { paintSignInWithNotice, serveSignInPage } from './scripts/sign-in-page.ts';
import { APP_FILES, loadApp } from './scripts/split-app.ts';
import { CSP_NONCE_PLACEHOLDER } from './server/placeholders.ts';

const configPath = fileURLToPath(new URL('lingui.config.ts', import.meta.url));

export default defineConfig({
  plugins: [
    // The English texts stay in the source (`scripts/compile-english.ts`).
    lingui({
      configPath,
      macroTransform: { macro: { descriptorFields: 'message' } },
      failOnMissing: true,
      failOnCompileError: true,
    }),
    react(),
    usePreact(),
    compileEnglish(),
    loadApp(),
    fillInApiOrigin(),
    serveSignInPage(),
    paintSignInWithNotice(),
    listAppFiles(),
    keepOldAssets(),
  ],
  // The server puts a fresh nonce in place of this on every request; the component library's style elements need it.
  html: { cspNonce: CSP_NONCE_PLACEHOLDER },
  build: {
    target: 'es2022',
    // `keepOldAssets` empties it, but for the assets of earlier builds.
    emptyOutDir: false,
    // The server reads from it which files each screen needs.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'sign-in.html', 'src/service-worker.ts'],
      output: {
        codeSplitting: { groups: APP_FILES },
        // The browser looks for a new service worker at the same address.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: { strictPort: true },
});
