import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { readArea } from './areas.ts';

const { folders, testTimeoutMs } = readArea();

/** The area's own tests, unit and component; what runs whole processes is not reached by mutants. */
export default defineConfig({
  resolve: {
    alias: {
      // node_modules leads to the code as it is, not to its mutants.
      '@mailsweep/provider-connection': fileURLToPath(
        new URL('../packages/provider-connection/src/index.ts', import.meta.url),
      ),
    },
  },
  test: {
    include: folders.map((folder) => `${folder}/**/*.test.ts`),
    exclude: ['**/node_modules/**'],
    globalSetup: ['stack/src/testing/global-setup.ts'],
    testTimeout: testTimeoutMs,
    hookTimeout: 60_000,
  },
});
