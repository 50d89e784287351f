import type { KnipConfig } from 'knip';
import checks from './tooling/checks/package.json' with { type: 'json' };

/** What packages list themselves, or configuration names. */
const LISTED_ELSEWHERE = ['@types/node', 'knip', 'typescript'];

export default {
  rules: {
    types: 'off',
  },
  // Installed once, for all packages.
  ignoreDependencies: Object.keys(checks.devDependencies).filter((name) => !LISTED_ELSEWHERE.includes(name)),
  ignoreBinaries: ['attw', 'biome', 'changeset', 'knip', 'publint', 'stryker', 'tsc', 'turbo', 'vitest'],
  workspaces: {
    '.': {
      entry: [
        '.ci/start-once.mjs',
        '{deploy,docs,tools}/**/*.test.ts',
        'packages/*.test.ts',
        'tooling/mutation/write-table.ts',
        'examples/*/*.mjs',
      ],
      vitest: ['vitest.config.ts', 'tooling/mutation/vitest.config.ts'],
      stryker: ['tooling/mutation/stryker.config.ts'],
      // For npx in a checkout.
      ignoreDependencies: ['@mailsweep/ml-conformance'],
      ignoreBinaries: ['kubectl', 'promtool', 'setpriv'],
    },
    prisma: {
      entry: ['src/testing/*.ts'],
      ignoreDependencies: ['@prisma/client', 'prisma'],
    },
    'packages/contracts': {
      entry: ['scripts/*.ts', 'consumers/*/*.{js,ts}'],
    },
    'packages/cli': {
      ignoreDependencies: ['jsonwebtoken', 'zod'],
    },
    'apps/api': {
      entry: ['scripts/*.ts'],
      ignoreBinaries: ['redis-server'],
    },
    'apps/web': {
      entry: ['scripts/*.ts'],
    },
    'tooling/stack': {
      entry: ['src/**/main.ts', 'src/test-command.ts', 'src/doctor.ts', 'src/setup/setup.js'],
      ignoreBinaries: ['redis-server'],
    },
    'tooling/bench': {
      entry: ['src/floors/*.{ts,mjs}'],
    },
    'tooling/e2e': {
      entry: [
        '**/*.e2e.test.ts',
        'gmail/main.ts',
        'gmail/**/*.test.ts',
        'faults/**/*.faults.test.ts',
        'soak/*.soak.test.ts',
        'web/take-screenshots.ts',
        'web/measure-cleaning.ts',
        'web/measure-home.ts',
        'web/measure-lighthouse.ts',
        'web/measure-scrolling.ts',
        'web/measure-slow-network.ts',
      ],
      // Built for the units of systemd, which run it.
      ignoreDependencies: ['@mailsweep/ml'],
      ignoreBinaries: ['caddy'],
    },
    'packages/mail': {
      entry: ['scripts/*.ts'],
      ignoreBinaries: ['setpriv'],
    },
    'packages/service-kit': {
      ignoreDependencies: ['swagger-ui-dist'],
      ignoreBinaries: ['openssl'],
    },
  },
} satisfies KnipConfig;
