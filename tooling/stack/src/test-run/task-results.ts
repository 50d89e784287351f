import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { z } from 'zod';

// Vitest's JSON reporter (the form of Jest's), as far as it tells what passed and what failed, and why.
const ReportSchema = z.object({
  numPassedTests: z.number(),
  numPendingTests: z.number().default(0),
  testResults: z
    .array(
      z.object({
        name: z.string(),
        status: z.string(),
        message: z.string().default(''),
        assertionResults: z.array(
          z.object({
            status: z.string(),
            fullName: z.string(),
            failureMessages: z.array(z.string()).nullish(),
          }),
        ),
      }),
    )
    .default([]),
});

type FileResult = z.infer<typeof ReportSchema>['testResults'][number];

interface TestOutcome {
  passed: number;
  skipped: number;
  /** A line for each failure: where, what, and the first line of why, of each attempt. */
  failures: readonly string[];
  /** A line for each test that passed only when it was retried, with why it failed before. */
  flaky: readonly string[];
}

/**
 * Reads what a report comes to. A file that failed outside of any test (an import that throws, say) is one failure,
 * and so is a run that failed without a word.
 */
export const readTestReport = (reportFile: string, exitCode: number): TestOutcome => {
  const silent = `ended with code ${exitCode} and named no test`;
  if (!existsSync(reportFile)) return { passed: 0, skipped: 0, failures: [silent], flaky: [] };
  const report = ReportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const failures = report.testResults.flatMap(nameFailures);
  const flaky = report.testResults.flatMap((file) => nameTests(file, isFlaky));
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests,
    failures: failures.length === 0 && exitCode !== 0 ? [silent] : failures,
    flaky,
  };
};

type TestResult = FileResult['assertionResults'][number];

const hasFailed = ({ status }: TestResult): boolean => status === 'failed';

/** Vitest keeps the errors of the first attempt when a retry passes. */
const isFlaky = ({ status, failureMessages }: TestResult): boolean =>
  status === 'passed' && (failureMessages ?? []).length > 0;

const nameTests = (
  { name, assertionResults }: FileResult,
  isNamed: (result: TestResult) => boolean,
): string[] =>
  assertionResults
    .filter(isNamed)
    .map(
      ({ fullName, failureMessages }) =>
        `${basename(name)} › ${fullName}: ${tellAttempts(basename(name), failureMessages ?? [])}`,
    );

/** The first line of each attempt's error, and the line of the test that it comes from. */
const tellAttempts = (file: string, errors: string[]): string => {
  const told = errors.map((error) => {
    // Vitest adds a query to the name of a module.
    const line = error.split(file)[1]?.match(/^(?:\?[^:\n]*)?:(\d+)/)?.[1];
    return firstLine(error) + (line === undefined ? '' : ` (line ${line})`);
  });
  return [...new Set(told)].join('; when retried: ');
};

const nameFailures = (file: FileResult): string[] => {
  const failed = nameTests(file, hasFailed);
  if (failed.length > 0) return failed;
  return file.status === 'failed' ? [`${basename(file.name)}: ${firstLine(file.message)}`] : [];
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

export interface TaskResult extends TestOutcome {
  title: string;
  seconds: number;
  /** Nothing it depends on has changed since it last passed. */
  isCached: boolean;
}

// What `turbo run --summarize` writes, as far as it is read here.
const SummarySchema = z.object({
  tasks: z.array(
    z.object({
      taskId: z.string(),
      task: z.string(),
      command: z.string(),
      directory: z.string().default(''),
      cache: z.object({ status: z.string() }),
      execution: z
        .object({ startTime: z.number(), endTime: z.number(), exitCode: z.number().nullable() })
        .nullish(),
    }),
  ),
});

type Task = z.infer<typeof SummarySchema>['tasks'][number];

/** Tasks that others need, and that are worth a line only when they fail. */
const isPreparation = ({ task }: Task): boolean => task === 'build' || task === 'generate';

/** Packages without the script are part of turbo's graph all the same. */
const hasNoScript = ({ command }: Task): boolean => command === '<NONEXISTENT>';

/** Reads the summary of a run, and the report of each task that ran tests. A check without tests counts as one. */
export const readTaskResults = (summaryFile: string, repository: string): TaskResult[] => {
  const { tasks } = SummarySchema.parse(JSON.parse(readFileSync(summaryFile, 'utf8')));
  return tasks
    .filter((task) => !hasNoScript(task))
    .map((task) => readResult(task, repository))
    .filter(({ isPreparation, failures }) => !isPreparation || failures.length > 0)
    .map(({ isPreparation: _, ...result }) => result);
};

const readResult = (task: Task, repository: string) => {
  const isCached = task.cache.status === 'HIT';
  const exitCode = isCached ? 0 : (task.execution?.exitCode ?? 1);
  const ranMs = task.execution ? task.execution.endTime - task.execution.startTime : 0;
  return {
    title: titleOf(task.taskId),
    seconds: ranMs / 1_000,
    isCached,
    isPreparation: isPreparation(task),
    ...(task.task.replace('//#', '').startsWith('test:')
      ? readTestReport(reportOf(task, repository), exitCode)
      : asOne(exitCode)),
  };
};

/** Where `vitest.reporters.ts` has the task's report written. */
const reportOf = ({ directory, task }: Task, repository: string): string =>
  join(repository, directory, 'test-results', `${task.replace(':', '-')}.json`);

const asOne = (exitCode: number): TestOutcome =>
  exitCode === 0
    ? { passed: 1, skipped: 0, failures: [], flaky: [] }
    : { passed: 0, skipped: 0, failures: [`ended with code ${exitCode}`], flaky: [] };

/** `@mailsweep/core#test` as `core: test`, `//#lint:format` as `lint:format`. */
const titleOf = (taskId: string): string =>
  taskId
    .replace(/^\/\/#/, '')
    .replace(/^@mailsweep\//, '')
    .replace('#', ': ');
