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
}

/**
 * Reads what a report comes to. A file that failed outside of any test (an import that throws, say) is one failure,
 * and so is a run that failed without a word.
 */
export const readTestReport = (reportFile: string, exitCode: number): TestOutcome => {
  const silent = `ended with code ${exitCode} and named no test`;
  if (!existsSync(reportFile)) return { passed: 0, skipped: 0, failures: [silent] };
  const report = ReportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const failures = report.testResults.flatMap(nameFailures);
  return {
    passed: report.numPassedTests,
    skipped: report.numPendingTests,
    failures: failures.length === 0 && exitCode !== 0 ? [silent] : failures,
  };
};

const nameFailures = ({ name, status, message, assertionResults }: FileResult): string[] => {
  const failed = assertionResults.filter((assertion) => assertion.status === 'failed');
  const file = basename(name);
  if (failed.length > 0)
    return failed.map(
      ({ fullName, failureMessages }) => `${file} › ${fullName}: ${firstLine(failureMessages?.[0] ?? '')}`,
    );
  return status === 'failed' ? [`${file}: ${firstLine(message)}`] : [];
};

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';
