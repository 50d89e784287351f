import { fileURLToPath } from 'node:url';
import { lingui } from '@lingui/vite-plugin';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { compileEarly } from './scripts/compile-early.ts';
import { compileEnglish } from './scripts/compile-english.ts';
import { keepOldAssets } from './scripts/keep-old-assets.ts';
import { listAppFiles } from './scripts/list-app-files.ts';
import { orderScripts, servePages } from './scripts/pages.ts';
import { usePreact } from './scripts/preact.ts';
import { APP_FILES } from './scripts/split-app.ts';
import { CSP_NONCE_PLACEHOLDER } from './server/config.ts';

const configPath = fileURLToPath(new URL('lingui.config.ts', import.meta.url));

export default defineConfig({
  plugins: [
    // English stays in the source (`scripts/compile-english.ts`).
    lingui({
      configPath,
      macroTransform: { macro: { descriptorFields: 'message' } },
      failOnMissing: true,
      failOnCompileError: true,
    }),
    react(),
    usePreact(),
    compileEnglish(),
    compileEarly(),
    servePages(),
    orderScripts(),
    listAppFiles(),
    keepOldAssets(),
  ],
  // The server replaces it with a fresh nonce, which the component library's style elements need.
  html: { cspNonce: CSP_NONCE_PLACEHOLDER },
  build: {
    target: 'es2022',
    // `keepOldAssets` empties it, except for earlier assets.
    emptyOutDir: false,
    // Tells the server the files of each screen.
    manifest: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'sign-in.html', 'src/service-worker.ts'],
      output: {
        codeSplitting: { groups: APP_FILES },
        // Browsers look for a new service worker at the same address.
        entryFileNames: ({ name }) => (name === 'service-worker' ? '[name].js' : 'assets/[name]-[hash].js'),
      },
    },
  },
  server: { strictPort: true },
});
