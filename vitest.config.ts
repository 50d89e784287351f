import { defineConfig } from 'vitest/config';

const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**'];

/** Tests of many random sequences against a real database: minutes, so that `npm test` leaves them to `npm run verify`. */
const PROPERTIES = '**/*.property.int.test.ts';

/** One more than the cores of a small machine: many tests wait for processes, queues and time-outs. */
const WORKERS = 3;

/** Tests with real servers, which the run starts once. */
const withServers = {
  isolate: false,
  globalSetup: ['stack/src/testing/global-setup.ts'],
  testTimeout: 30_000,
  hookTimeout: 60_000,
  maxWorkers: WORKERS,
};

/** The fault campaign: real processes, which wait for each other more than they work. */
const faults = {
  include: ['e2e/faults/**/*.faults.test.ts'],
  exclude,
  globalSetup: ['e2e/faults/harness/global-setup.ts'],
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
};

export default defineConfig({
  test: {
    coverage: {
      provider: 'v8',
      include: ['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts', 'prisma/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', '**/main.ts', 'apps/web/**', 'packages/google-sandbox/**'],
      reporter: ['text-summary', 'html', 'json-summary'],
    },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          // Files share what they import: half the work. A test that changes something global puts it back.
          isolate: false,
          maxWorkers: WORKERS,
          include: ['*.test.ts', '{apps,packages}/*/src/**/*.test.ts', '{prisma,stack}/src/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', 'apps/web/**'],
        },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'component',
          include: ['{apps,packages}/*/src/**/*.int.test.ts', 'prisma/src/**/*.int.test.ts'],
          exclude: [...exclude, PROPERTIES],
        },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'property',
          include: [`packages/*/src/${PROPERTIES}`],
          exclude,
        },
      },
      {
        extends: true,
        test: {
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          exclude,
          testTimeout: 120_000,
          hookTimeout: 180_000,
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults',
          provide: { faultsForm: 'short' },
          maxWorkers: 5,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-long',
          provide: { faultsForm: 'long' },
          fileParallelism: false,
        },
      },
    ],
  },
});
