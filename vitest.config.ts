import { defineConfig } from 'vitest/config';
import { taskReporters } from './vitest.reporters.ts';

const exclude = ['**/node_modules/**', '**/dist/**', '**/generated/**'];

/** Tests of many random sequences against a real database: minutes, so that `npm test` leaves them to `npm run verify`. */
const PROPERTIES = '**/*.property.int.test.ts';

/**
 * Tests that take a minute or so, because they start or kill processes, set up whole installations or go through thousands of
 * emails: left to `npm run verify`, too.
 */
const LONG = [
  'apps/api/src/commands/*.int.test.ts',
  'apps/api/src/doctor/*.int.test.ts',
  'apps/api/src/main.int.test.ts',
  'apps/ml/src/training/*.test.ts',
  'apps/worker/src/**/*-kill.int.test.ts',
  'packages/core/src/due-work/upgrade.int.test.ts',
  'packages/core/src/undoing/undo-units.int.test.ts',
  'prisma/src/roles.int.test.ts',
  'tooling/e2e/gmail/{main,testing/*}.test.ts',
];

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
  globalSetup: ['tooling/stack/src/testing/global-setup.ts'],
  testTimeout: TEST_TIMEOUT_MS,
  hookTimeout: 60_000,
  expect: { poll: { timeout: 10_000 } },
  maxWorkers: WORKERS,
};

/** Tests of manifests, documents, arrows between packages: of what is no module. */
const REPOSITORY = ['{deploy,docs,tools}/**/*.test.ts', 'packages/*.test.ts'];

/** What `npm test` runs of the whole product: one path from sign-in to undo. */
const PRODUCT = 'tooling/e2e/clean-a-mailbox.e2e.test.ts';

/** Tests of the whole product, most of them in a browser. */
const e2e = {
  retry: RETRIES,
  exclude,
  globalSetup: ['tooling/e2e/src/global-setup.ts'],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  // As long as a browser is waited for.
  expect: { poll: { timeout: 60_000 } },
  maxWorkers: 2,
};

/** The rows of the fault campaign that have the machine to themselves: they measure how long a request takes under load. */
const ALONE = [
  'tooling/e2e/faults/r26-queue-outage.faults.test.ts',
  'tooling/e2e/faults/r30-rolling-restart.faults.test.ts',
  'tooling/e2e/faults/r47-upgrade.faults.test.ts',
];

/**
 * What runs at night and with `npm run verify` alone. Each change waits for the paths that people and programs take every
 * day, and for kills and outages that lose something when they go wrong; the rest of the browser's tests and of the campaign
 * takes as long again.
 */
const NIGHTLY = [
  'fastapi-example',
  'foreign-mcp-clients',
  'integrations/node-red',
  'monitoring',
  'outgoing-calls',
  'own-front-end',
  'replace-the-classifier',
  'without-docker',
  'web/access-tokens',
  'web/accessibility',
  'web/api-docs',
  'web/cached-app',
  'web/comfort',
  'web/conversations',
  'web/firefox',
  'web/first-visit',
  'web/german',
  'web/lists',
  'web/lost-parts',
  'web/notifications',
  'web/one-origin',
  'web/other-providers',
  'web/precision',
  'web/pressed-twice',
  'web/search',
  'web/swipe',
  'web/unsubscribe',
  'web/watch',
].map((name) => `tooling/e2e/${name}.e2e.test.ts`);

/** Rows of the long campaign alone, which runs at night: of most, component tests prove what needs no process. */
const LONG_ROWS = [
  'tooling/e2e/faults/attacks/*.faults.test.ts',
  ...[
    'r11-foreign-ids',
    'r13-fuzzed-requests',
    'r14-weird-mail',
    'r16-slow-clients',
    'r20-classification',
    'r23-history-outage',
    'r26-queue-memory-loss',
    'r28-poisonous-jobs',
    'r31-partition',
    'r32-overload',
    'r33-wrong-clocks',
    'r41-idempotency-keys',
    'r45-restore',
    'r46-traces',
    'r48-key-rotation',
  ].map((name) => `tooling/e2e/faults/${name}.faults.test.ts`),
];

/** The fault campaign: real processes, which wait for each other more than they work. */
const faults = {
  include: ['tooling/e2e/faults/**/*.faults.test.ts'],
  globalSetup: ['tooling/e2e/faults/harness/global-setup.ts'],
  testTimeout: 1_200_000,
  hookTimeout: 300_000,
  retry: RETRIES,
};

export default defineConfig({
  test: {
    ...taskReporters,
    // Node runs the sources as they are, in tests as in production: vite would transform each of them first.
    experimental: { viteModuleRunner: false, nodeLoader: false },
    coverage: {
      provider: 'v8',
      include: ['apps/*/src/**/*.ts', 'packages/*/src/**/*.ts', 'prisma/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/testing/**', '**/main.ts', 'apps/web/**'],
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
          retry: RETRIES,
          include: ['{apps,packages,tooling}/*/src/**/*.test.ts', 'prisma/src/**/*.test.ts'],
          exclude: [...exclude, '**/*.int.test.ts', 'apps/web/**', ...LONG],
        },
      },
      {
        extends: true,
        test: { name: 'repository', testTimeout: TEST_TIMEOUT_MS, include: REPOSITORY, exclude },
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
      {
        extends: true,
        test: {
          ...withServers,
          name: 'long',
          testTimeout: 4 * TEST_TIMEOUT_MS,
          retry: RETRIES,
          include: LONG,
          exclude,
        },
      },
      {
        extends: true,
        test: {
          name: 'gmail',
          include: ['tooling/e2e/gmail/*.live.test.ts'],
          globalSetup: ['tooling/e2e/gmail/testing/global-setup.ts'],
          // Ctrl-C would end a process of its own in the middle of a call.
          pool: 'threads',
          // Waits for the quota of a minute, or for a batch of 1,000.
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
      // The web app's tests need a page and the translations: apps/web/vitest.config.ts.
      'apps/web',
      { extends: true, test: { ...e2e, name: 'product', include: [PRODUCT] } },
      {
        extends: true,
        test: {
          ...e2e,
          name: 'e2e',
          include: ['tooling/e2e/**/*.e2e.test.ts'],
          exclude: [...exclude, PRODUCT, ...NIGHTLY],
        },
      },
      { extends: true, test: { ...e2e, name: 'e2e-nightly', include: NIGHTLY } },
      {
        extends: true,
        test: {
          ...faults,
          name: 'faults',
          exclude: [...exclude, ...ALONE, ...LONG_ROWS],
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
      {
        extends: true,
        test: {
          ...faults,
          name: 'soak',
          include: ['tooling/e2e/soak/*.soak.test.ts'],
          exclude,
          retry: 0,
          provide: { faultsForm: 'short' },
        },
      },
    ],
  },
});
