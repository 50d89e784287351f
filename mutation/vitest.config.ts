import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { readArea } from './areas.ts';

const { folders, testsElsewhere = [], testTimeoutMs } = readArea();

/** The area's own tests, unit and component; what runs whole processes is not reached by mutants. */
export default defineConfig({
  resolve: {
    // node_modules leads to the code as it is, not to its mutants.
    alias: ['core', 'provider-connection'].map((name) => ({
      find: new RegExp(`^@mailsweep/${name}$`),
      replacement: fileURLToPath(new URL(`../packages/${name}/src/index.ts`, import.meta.url)),
    })),
  },
  test: {
    include: [...folders.map((folder) => `${folder}/**/*.test.ts`), ...testsElsewhere],
    exclude: ['**/node_modules/**'],
    globalSetup: ['stack/src/testing/global-setup.ts'],
    testTimeout: testTimeoutMs,
    // A server with a request that a mutant left unanswered does not close.
    hookTimeout: 20_000,
  },
});
