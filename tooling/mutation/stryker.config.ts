import { readArea } from './areas.ts';

const { name, folders } = readArea();

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  vitest: { configFile: 'tooling/mutation/vitest.config.ts' },
  mutate: folders.flatMap((folder) => [
    `${folder}/**/*.ts`,
    `!${folder}/**/*.test.ts`,
    `!${folder}/**/testing/**`,
    `!${folder}/index.ts`,
  ]),
  // Nothing is type-checked here. Stryker would rewrite the named tsconfig.json by means of TypeScript's old API.
  disableTypeChecks: false,
  tsconfigFile: 'none',
  ignorePatterns: ['dist', 'coverage', 'tooling/bench', 'docs', 'apps/web', 'tooling/mutation/reports'],
  coverageAnalysis: 'perTest',
  // Code that runs once, as a module is loaded: each mutant would need to start the databases again.
  ignoreStatic: true,
  // A run that takes longer is in an endless loop: a test that hangs is failed before, by its own time-out.
  timeoutMS: 60_000,
  concurrency: 2,
  incrementalFile: `tooling/mutation/reports/${name}.incremental.json`,
  reporters: ['clear-text', 'progress', 'html', 'json'],
  clearTextReporter: { allowColor: false, logTests: false, allowEmojis: false },
  htmlReporter: { fileName: `tooling/mutation/reports/${name}.html` },
  jsonReporter: { fileName: `tooling/mutation/reports/${name}.json` },
  tempDirName: 'tooling/mutation/.sandbox',
  thresholds: { high: 90, low: 80, break: 80 },
};
