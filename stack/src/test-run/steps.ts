import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { QUICK_END_TO_END_TESTS, QUICK_FAULT_CASES } from './quick-tests.ts';
import { readTestReport, type TestOutcome } from './vitest-report.ts';

/** One command of the test run. */
export interface TestStep {
  title: string;
  command: string;
  words: string[];
  cwd: string;
  /** What its exit code and report come to. */
  judge(exitCode: number): TestOutcome;
}

/** A check without tests of its own counts as one. */
const judgeAsOne = (exitCode: number): TestOutcome =>
  exitCode === 0
    ? { passed: 1, skipped: 0, failures: [], flaky: [] }
    : { passed: 0, skipped: 0, failures: [`ended with code ${exitCode}`], flaky: [] };

/**
 * - `quick`: what `npm test` runs, in a few minutes
 * - `all`: everything, `npm run verify`
 * - `rest`: everything but the steps that `npm test` runs in the same form
 */
export type TestScope = 'quick' | 'all' | 'rest';

/**
 * The stages of a scope, in their order. The steps of a stage may run side by side, the longest first. Of the tests of
 * whole products, which have a stage of their own, those that measure time to be exact are not among the quick ones.
 *
 * @param options.reportDir - where Vitest's reports go
 */
export const planTestSteps = (options: {
  scope: TestScope;
  repository: string;
  reportDir: string;
}): TestStep[][] => {
  const { scope, repository, reportDir } = options;
  const bin = (name: string): string => join(repository, 'node_modules/.bin', name);
  const check = (title: string, command: string, words: string[]): TestStep => ({
    title,
    command,
    words,
    cwd: repository,
    judge: judgeAsOne,
  });
  const vitest = (title: string, name: string, words: readonly string[], cwd = repository): TestStep => {
    const reportFile = join(reportDir, `${name}.json`);
    return {
      title,
      command: join(cwd, 'node_modules/.bin/vitest'),
      words: ['run', ...words, '--reporter=default', '--reporter=json', `--outputFile.json=${reportFile}`],
      cwd,
      judge: (exitCode) => readTestReport(reportFile, exitCode),
    };
  };
  const webDir = join(repository, 'apps/web');
  const unitAndComponent = vitest('Unit and component tests', 'unit-and-component', [
    '--project=unit',
    '--project=component',
  ]);
  const lint = check('Lint and format', bin('biome'), ['check', '--error-on-warnings']);
  const expressions = check('Regular expressions', bin('node'), ['stack/src/regexp-lint/main.ts']);
  const description = check('OpenAPI document', bin('node'), ['apps/api/scripts/lint-openapi.ts']);
  const types = check('Types', bin('node'), ['--run', 'typecheck']);
  const web = existsSync(join(webDir, 'vite.config.ts')) ? [vitest('Web app tests', 'web', [], webDir)] : [];
  /** Those that `npm test` runs in the same form as `npm run verify`. */
  const shared = [unitAndComponent, lint, expressions, description, types, ...web];

  if (scope === 'quick') {
    return [
      shared,
      // Both wait more than they work, and none of these limits is closer than seconds.
      [
        vitest('End-to-end tests', 'e2e', ['--project=e2e', ...QUICK_END_TO_END_TESTS]),
        vitest('Fault cases', 'faults', ['--project=faults', ...QUICK_FAULT_CASES]),
      ],
    ];
  }
  return [
    ...(scope === 'rest' ? [] : [shared]),
    [vitest('Property tests', 'property', ['--project=property']), check('Unused code', bin('knip'), [])],
    [vitest('End-to-end tests', 'e2e', ['--project=e2e'])],
    [vitest('Fault campaign', 'faults', ['--project=faults', '--project=faults-alone'])],
  ];
};
