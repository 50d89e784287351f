import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { readArea } from './areas.ts';
import { QuickestFirst } from './quickest-first.ts';

/** The area's own tests, unit and component; what runs whole processes is not reached by mutants. */
export default defineConfig({
  resolve: {
    // node_modules leads to the code as it is, not to its mutants.
    alias: [
      {
        find: /^@mailsweep\/(core|event-bus|gmail|gmail-mailbox|message-cache|provider-connection)(\/testing)?$/,
        replacement: `${fileURLToPath(new URL('../packages', import.meta.url))}/$1/src$2/index.ts`,
      },
    ],
  },
  test: {
    include: readArea().tests,
    exclude: ['**/node_modules/**'],
    // Each mutant gets a worker of its own all the same; its tests' files share what they import.
    isolate: false,
    sequence: { sequencer: QuickestFirst },
    globalSetup: ['stack/src/testing/global-setup.ts'],
    // So long that a machine with other work fails no test of a mutant that nothing notices.
    testTimeout: 30_000,
    // A server with a request that a mutant left unanswered does not close.
    hookTimeout: 20_000,
  },
});
