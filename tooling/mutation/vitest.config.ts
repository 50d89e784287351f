import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { readArea } from './areas.ts';
import { QuickestFirst } from './quickest-first.ts';

const PACKAGES = fileURLToPath(new URL('../../packages', import.meta.url));

/** The area's own tests, unit and component; what runs whole processes is not reached by mutants. */
export default defineConfig({
  resolve: {
    // node_modules leads to the code as it is, not to its mutants.
    alias: [
      {
        find: /^@mailsweep\/(core|event-bus)(\/testing)?$/,
        replacement: `${PACKAGES}/$1/src$2/index.ts`,
      },
      {
        find: /^@mailsweep\/mail\/(.*)$/,
        replacement: `${PACKAGES}/mail/src/$1/index.ts`,
      },
    ],
  },
  test: {
    include: readArea().tests,
    exclude: ['**/node_modules/**'],
    // Each mutant gets a worker of its own all the same; its tests' files share what they import.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    globalSetup: ['tooling/stack/src/testing/global-setup.ts'],
    // So long that a machine with other work fails no test of a mutant that nothing notices.
    testTimeout: 30_000,
    // A server with a request that a mutant left unanswered does not close.
    hookTimeout: 20_000,
  },
});
