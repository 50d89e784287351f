import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
    ? { passed: 1, skipped: 0, failures: [] }
    : { passed: 0, skipped: 0, failures: [`ended with code ${exitCode}`] };

/**
 * Everything that `npm test` runs, in its order.
 *
 * @param options.reportDir - where Vitest's reports go
 */
export const planTestSteps = (options: { repository: string; reportDir: string }): TestStep[] => {
  const { repository, reportDir } = options;
  const bin = (name: string): string => join(repository, 'node_modules/.bin', name);
  const check = (title: string, command: string, words: string[]): TestStep => ({
    title,
    command,
    words,
    cwd: repository,
    judge: judgeAsOne,
  });
  const vitest = (title: string, name: string, words: string[], cwd = repository): TestStep => {
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
  return [
    check('Lint and format', bin('biome'), ['check', '--error-on-warnings']),
    check('Regular expressions', bin('node'), ['stack/src/regexp-lint/main.ts']),
    check('Unused code', bin('knip'), []),
    check('Types', bin('turbo'), ['run', 'typecheck', '--output-logs=errors-only']),
    vitest('Unit and component tests', 'unit-and-component', [
      '--project=unit',
      '--project=component',
      '--coverage',
    ]),
    ...(existsSync(join(webDir, 'vite.config.ts')) ? [vitest('Web app tests', 'web', [], webDir)] : []),
    vitest('End-to-end tests', 'e2e', ['--project=e2e']),
    vitest('Fault campaign', 'faults', ['--project=faults']),
  ];
};
