import { randomInt } from 'node:crypto';
import process from 'node:process';
import { defineConfig } from 'vitest/config';
import { taskReporters } from './vitest.reporters.ts';

const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**'];

/** Tests of many random sequences against a real database: minutes, so that `npm test` leaves them to `npm run verify`. */
const PROPERTIES = '**/*.property.int.test.ts';

/** Tests that take a minute or so, because they kill processes or go through thousands of emails: left to `npm run verify`, too. */
const LONG = [
  'apps/worker/src/**/*-kill.int.test.ts',
  'packages/core/src/undoing/undo-units.int.test.ts',
  'stack/src/live-check/*.test.ts',
];

/** Each run of CI makes other random choices, the same in all its workers, which inherit the variable. */
if (process.env.CI && !process.env.PROPERTY_SEED) {
  const seed = String(randomInt(2 ** 31));
  process.env.PROPERTY_SEED = seed;
  const command = ['vitest', ...process.argv.slice(2)].join(' ');
  process.stdout.write(
    `Seed of the property tests: ${seed}. Repeat with: PROPERTY_SEED=${seed} ${command}\n`,
  );
}

/** Gives random choices their seed. */
const PROPERTY_SEED = 'packages/service-kit/src/testing/properties/config.ts';

/** Far more than a test takes: a loaded machine alone must not fail one. */
const TEST_TIMEOUT_MS = 30_000;

/** One more than the cores of a small machine: many tests wait for processes, queues and time-outs. */
const WORKERS = 3;

/**
 * Tests of real processes are tried twice: on a busy machine one of thousands may miss its moment. The summary of the
 * test run names those that needed it. Properties are not retried, for a counterexample holds.
 */
const RETRIES = 1;

/** Tests with real servers, which the run starts once. */
const withServers = {
  isolate: false,
  globalSetup: ['stack/src/testing/global-setup.ts'],
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: 60_000,
  maxWorkers: WORKERS,
};

/**
 * What `npm test` runs of the two long suites. The rule: one path through the product and one through the browser; of
 * the fault campaign, one file for each of configuration, Gmail, an action cut short and the database, the quickest that
 * there is, and none that measures time to be exact.
 */
const QUICK_END_TO_END_TESTS = ['e2e/clean-a-mailbox.e2e.test.ts', 'e2e/web/decisions.e2e.test.ts'];

const QUICK_FAULT_CASES = [
  'e2e/faults/r10-bad-keys.faults.test.ts',
  'e2e/faults/r21-gmail-faults.faults.test.ts',
  'e2e/faults/r22-partial-actions.faults.test.ts',
  'e2e/faults/r25-database-outage.faults.test.ts',
];

/** Tests of the whole product, most of them in a browser. */
const e2e = {
  retry: RETRIES,
  exclude,
  globalSetup: ['e2e/src/global-setup.ts'],
  testTimeout: 120_000,
  hookTimeout: 180_000,
  // As long as a browser is waited for.
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: 2,
};

/**
 * The rows of the fault campaign that have the machine to themselves: they measure what others get during an attack, or how
 * long a request takes under load.
 */
const ALONE = [
  'e2e/faults/attacks/*.faults.test.ts',
  'e2e/faults/r26-queue-outage.faults.test.ts',
  'e2e/faults/r30-rolling-restart.faults.test.ts',
  'e2e/faults/r47-upgrade.faults.test.ts',
  'e2e/faults/r48-key-rotation.faults.test.ts',
];

/** The fault campaign: real processes, which wait for each other more than they work. */
const faults = {
  include: ['e2e/faults/**/*.faults.test.ts'],
  globalSetup: ['e2e/faults/harness/global-setup.ts'],
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
  retry: RETRIES,
};

export default defineConfig({
  test: {
    ...taskReporters,
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
          setupFiles: [PROPERTY_SEED],
          testTimeout: TEST_TIMEOUT_MS,
          hookTimeout: 60_000,
          // Files share what they import: half the work. A test that changes something global puts it back.
          isolate: false,
          maxWorkers: WORKERS,
          include: ['{apps,packages}/*/src/**/*.test.ts', '{prisma,stack}/src/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', 'apps/web/**', ...LONG],
        },
      },
      {
        extends: true,
        test: { name: 'repository', testTimeout: TEST_TIMEOUT_MS, include: ['*.test.ts'], exclude },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'component',
          setupFiles: [PROPERTY_SEED],
          retry: RETRIES,
          include: ['{apps,packages}/*/src/**/*.int.test.ts', 'prisma/src/**/*.int.test.ts'],
          exclude: [...exclude, PROPERTIES, ...LONG],
        },
      },
      {
        extends: true,
        test: {
          ...withServers,
          name: 'property',
          setupFiles: [PROPERTY_SEED],
          include: [`packages/*/src/${PROPERTIES}`],
          exclude,
        },
      },
      { extends: true, test: { ...withServers, name: 'long', retry: RETRIES, include: LONG, exclude } },
      { extends: true, test: { ...e2e, name: 'e2e-quick', include: QUICK_END_TO_END_TESTS } },
      {
        extends: true,
        test: {
          ...e2e,
          name: 'e2e',
          include: ['e2e/**/*.e2e.test.ts'],
          exclude: [...exclude, ...QUICK_END_TO_END_TESTS],
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-quick',
          include: QUICK_FAULT_CASES,
          provide: { faultsForm: 'short' },
          maxWorkers: 5,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults',
          exclude: [...exclude, ...ALONE, ...QUICK_FAULT_CASES],
          provide: { faultsForm: 'short' },
          maxWorkers: 5,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-alone',
          include: ALONE,
          exclude,
          provide: { faultsForm: 'short' },
          fileParallelism: false,
        },
      },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults-long',
          exclude,
          provide: { faultsForm: 'long' },
          fileParallelism: false,
        },
      },
    ],
  },
});
