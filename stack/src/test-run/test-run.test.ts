import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findSkippedSuites } from './optional-programs.ts';
import { runSteps, summarize } from './run-steps.ts';
import type { TestStep } from './steps.ts';
import { countTests } from './vitest-report.ts';

const step = (title: string, source: string): TestStep => ({
  title,
  command: process.execPath,
  words: ['-e', source],
  cwd: '/',
  count: (exitCode) => ({ passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 }),
});

const run = (steps: TestStep[], signal = new AbortController().signal) =>
  runSteps({ steps, env: {}, write: () => undefined, signal });

describe('npm test', () => {
  it('runs every step, whatever becomes of those before', async () => {
    const missing = { ...step('missing', ''), command: '/no/such/program' };
    const results = await run([step('bad', 'process.exit(2)'), missing, step('good', '')]);
    expect(results.map(({ title, failed }) => [title, failed])).toEqual([
      ['bad', 1],
      ['missing', 1],
      ['good', 0],
    ]);
  });

  it('ends the step that runs when it is asked to, and begins no other', async () => {
    const stop = new AbortController();
    const hanging = run([step('hanging', 'setInterval(() => {}, 1e6)'), step('next', '')], stop.signal);
    setImmediate(() => stop.abort());
    expect((await hanging).map(({ title }) => title)).toEqual(['hanging']);
  });

  it('sums up in the very last line', () => {
    const text = summarize([
      { title: 'Types', seconds: 2.04, passed: 1, failed: 0, skipped: 0 },
      { title: 'Unit tests', seconds: 61, passed: 410, failed: 2, skipped: 3 },
    ]);
    expect(text.split('\n').at(-1)).toBe('411 passed, 2 failed');
  });

  const countReport = (report: object | null, exitCode: number) => {
    const file = join(temporaryFolder(), 'report.json');
    if (report !== null) writeFileSync(file, JSON.stringify(report));
    return countTests(file, exitCode);
  };

  it('counts the tests of a report, and a file that failed outside of its tests as one', () => {
    const report = {
      numPassedTests: 7,
      numFailedTests: 1,
      numPendingTests: 2,
      testResults: [
        { status: 'failed', assertionResults: [{ status: 'failed' }, { status: 'passed' }] },
        { status: 'failed', assertionResults: [] },
        { status: 'passed', assertionResults: [{ status: 'passed' }] },
      ],
    };
    expect(countReport(report, 1)).toEqual({ passed: 7, failed: 2, skipped: 2 });
  });

  it('counts a run as failed that failed without a word', () => {
    expect(countReport(null, 1)).toEqual({ passed: 0, failed: 1, skipped: 0 });
    expect(countReport({ numPassedTests: 7, numFailedTests: 0 }, 1)).toMatchObject({ passed: 7, failed: 1 });
    expect(countReport({ numPassedTests: 7, numFailedTests: 0 }, 0)).toMatchObject({ passed: 7, failed: 0 });
  });

  it('says which suites can’t run on this machine, and why', () => {
    const bin = temporaryFolder();
    expect(findSkippedSuites({ PATH: bin })).toHaveLength(2);
    writeFileSync(join(bin, 'redis-server'), '');
    expect(findSkippedSuites({ PATH: bin })).toEqual([expect.stringContaining('chromium is missing')]);
    expect(findSkippedSuites({ PATH: bin, CHROMIUM_PATH: '/opt/chromium' })).toEqual([]);
  });
});
