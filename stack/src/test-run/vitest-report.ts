import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';

// Vitest's JSON reporter (the form of Jest's), as far as counts are concerned.
const ReportSchema = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  numPendingTests: z.number().default(0),
  testResults: z
    .array(z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }))
    .default([]),
});

export interface TestCounts {
  passed: number;
  failed: number;
  skipped: number;
}

/**
 * Counts the tests of a report. A file that failed outside of any test (an import that throws, say) counts as one
 * failed test, and so does a run that failed without a word.
 */
export const countTests = (reportFile: string, exitCode: number): TestCounts => {
  if (!existsSync(reportFile)) return { passed: 0, failed: 1, skipped: 0 };
  const report = ReportSchema.parse(JSON.parse(readFileSync(reportFile, 'utf8')));
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((assertion) => assertion.status === 'failed'),
  );
  const failed = report.numFailedTests + brokenFiles.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && exitCode !== 0 ? 1 : failed,
    skipped: report.numPendingTests,
  };
};
