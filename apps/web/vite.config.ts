import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { dropDescriptions } from './scripts/drop-descriptions.ts';
import { fillInApiOrigin } from './scripts/fill-in-api-origin.ts';
import { preloadApp } from './scripts/preload-app.ts';
import { paintSignInWithNotice, serveSignInPage } from './scripts/sign-in-page.ts';
import { CSP_NONCE_PLACEHOLDER } from './server/placeholders.ts';

export default defineConfig({
  plugins: [
    react(),
    dropDescriptions(),
    fillInApiOrigin(),
    preloadApp(),
    serveSignInPage(),
    paintSignInWithNotice(),
  ],
  // The server puts a fresh nonce in place of this on every request; the component library's style elements need it.
  html: { cspNonce: CSP_NONCE_PLACEHOLDER },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ['index.html', 'sign-in.html'],
    },
  },
  server: { strictPort: true },
});
