import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { preloadApp } from './scripts/preload-app.ts';
import { serveRuntimeConfig } from './scripts/serve-runtime-config.ts';
import { CSP_NONCE_PLACEHOLDER } from './server/content-security-policy.ts';

export default defineConfig({
  plugins: [react(), serveRuntimeConfig(), preloadApp()],
  // The server puts a fresh nonce in place of this on every request; the component library's style elements need it.
  html: { cspNonce: CSP_NONCE_PLACEHOLDER },
  build: { target: 'es2022', assetsInlineLimit: 0 },
  server: { strictPort: true },
});
