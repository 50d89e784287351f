import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findSkippedSuites } from './optional-programs.ts';
import { QUICK_END_TO_END_TESTS, QUICK_FAULT_CASES } from './quick-tests.ts';
import { runStages, summarize } from './run-steps.ts';
import { planTestSteps, type TestScope, type TestStep } from './steps.ts';
import { readTestReport } from './vitest-report.ts';

const step = (title: string, source: string): TestStep => ({
  title,
  command: process.execPath,
  words: ['-e', source],
  cwd: '/',
  judge: (exitCode) => ({
    passed: 0,
    skipped: 0,
    failures: exitCode === 0 ? [] : [`code ${exitCode}`],
    flaky: [],
  }),
});

const run = (
  stages: TestStep[][],
  { signal = new AbortController().signal, write = (_text: string): void => undefined } = {},
) => runStages(stages, { env: {}, write, signal });

describe('npm test', () => {
  it('runs every step, whatever becomes of those before', async () => {
    const missing = { ...step('missing', ''), command: '/no/such/program' };
    const results = await run([[step('bad', 'process.exit(2)'), missing], [step('good', '')]]);
    expect(results.map(({ title, failures }) => [title, failures])).toEqual([
      ['bad', ['code 2']],
      ['missing', ['code 1']],
      ['good', []],
    ]);
  });

  it.each([
    ['of one stage', (steps: TestStep[]) => [steps]],
    ['of several stages', (steps: TestStep[]) => steps.map((one) => [one])],
  ])('ends the steps %s that run when it is asked to, and begins no other', async (_case, toStages) => {
    const stop = new AbortController();
    const hanging = 'setInterval(() => {}, 1e6)';
    const stages = toStages(['a', 'b', 'c'].map((title) => step(title, hanging)));
    const running = run(stages, { signal: stop.signal });
    setImmediate(() => stop.abort());
    expect((await running).map(({ title }) => title)).toEqual(
      stages[0]?.slice(0, 2).map(({ title }) => title),
    );
  });

  it('runs two steps of a stage at once, and shows what those say that fail', async () => {
    const said: string[] = [];
    const good = step('good', "console.log('all is well')");
    const bad = step('bad', "console.error('1 is not 2'); process.exit(1)");
    await run([[good, bad]], { write: (text) => void said.push(text) });
    expect(said.slice(0, 2)).toEqual(['… good\n', '… bad\n']);
    expect(said).toContain('1 is not 2\n');
    expect(said.join('')).not.toContain('all is well');
  });

  it('names what failed above the table, and sums up in the very last line', () => {
    const lines = summarize([
      { title: 'Types', seconds: 2.04, passed: 1, skipped: 0, failures: [], flaky: [] },
      {
        title: 'Unit tests',
        seconds: 61,
        passed: 410,
        skipped: 3,
        failures: ['a.test.ts › adds: 1 is not 2', 'b'],
        flaky: ['c.test.ts › waits: too late'],
      },
    ]).split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '✗ Unit tests: a.test.ts › adds: 1 is not 2',
      '✗ Unit tests: b',
      '! Flaky: Unit tests: c.test.ts › waits: too late',
    ]);
    expect(lines.at(-1)).toBe('411 passed, 2 failed');
  });

  const read = (report: object | null, exitCode: number) => {
    const file = join(temporaryFolder(), 'report.json');
    if (report !== null) writeFileSync(file, JSON.stringify(report));
    return readTestReport(file, exitCode);
  };

  it('names the tests that failed, and a file that failed outside of its tests', () => {
    const passed = { status: 'passed', fullName: 'sums subtracts' };
    const failed = {
      status: 'failed',
      fullName: 'sums adds',
      failureMessages: ['1 is not 2\n at a.test.ts:7'],
    };
    const report = {
      numPassedTests: 7,
      numPendingTests: 2,
      testResults: [
        { name: '/here/a.test.ts', status: 'failed', assertionResults: [failed, passed] },
        {
          name: '/here/b.test.ts',
          status: 'failed',
          message: 'no such module\n at b.test.ts:1',
          assertionResults: [],
        },
        { name: '/here/c.test.ts', status: 'passed', assertionResults: [passed] },
      ],
    };
    expect(read(report, 1)).toEqual({
      passed: 7,
      skipped: 2,
      failures: ['a.test.ts › sums adds: 1 is not 2', 'b.test.ts: no such module'],
      flaky: [],
    });
  });

  it('names the tests that passed only when they were retried', () => {
    const retried = { status: 'passed', fullName: 'waits', failureMessages: ['too late\n at d.test.ts:3'] };
    const file = { name: '/here/d.test.ts', status: 'passed', assertionResults: [retried] };
    expect(read({ numPassedTests: 1, testResults: [file] }, 0)).toEqual({
      passed: 1,
      skipped: 0,
      failures: [],
      flaky: ['d.test.ts › waits: too late'],
    });
  });

  it('counts a run as failed that failed without a word', () => {
    const silent = { failures: ['ended with code 1 and named no test'] };
    expect(read(null, 1)).toMatchObject({ passed: 0, ...silent });
    expect(read({ numPassedTests: 7 }, 1)).toMatchObject({ passed: 7, ...silent });
    expect(read({ numPassedTests: 7 }, 0)).toMatchObject({ passed: 7, failures: [] });
  });

  it('says which suites can’t run on this machine, and why', () => {
    const bin = temporaryFolder();
    expect(findSkippedSuites({ PATH: bin })).toHaveLength(2);
    writeFileSync(join(bin, 'redis-server'), '');
    expect(findSkippedSuites({ PATH: bin })).toEqual([expect.stringContaining('chromium is missing')]);
    expect(findSkippedSuites({ PATH: bin, CHROMIUM_PATH: '/opt/chromium' })).toEqual([]);
  });

  const commandsOf = (scope: TestScope) =>
    planTestSteps({ scope, repository: REPOSITORY, reportDir: '/reports' })
      .flat()
      .map(({ command, words }) => [command, ...words].join(' '));

  it('leaves nothing out: what it runs and the rest make up everything', () => {
    const [all, quick, rest] = [commandsOf('all'), commandsOf('quick'), commandsOf('rest')];
    expect(all.filter((command) => !quick.includes(command) && !rest.includes(command))).toEqual([]);
    expect(rest.filter((command) => quick.includes(command))).toEqual([]);
  });

  it.each([...QUICK_END_TO_END_TESTS, ...QUICK_FAULT_CASES])('runs %s, which exists', (file) => {
    expect(existsSync(join(REPOSITORY, file))).toBe(true);
  });
});
