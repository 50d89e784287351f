import { existsSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
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

export interface TestOutcome {
  passed: number;
  skipped: number;
  /** A line for each failure: where, what, and the first line of why. */
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
        `${basename(name)} › ${fullName}: ${firstLine(failureMessages?.[0] ?? '')}`,
    );

const nameFailures = (file: FileResult): string[] => {
  const failed = nameTests(file, hasFailed);
  if (failed.length > 0) return failed;
  return file.status === 'failed' ? [`${basename(file.name)}: ${firstLine(file.message)}`] : [];
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
