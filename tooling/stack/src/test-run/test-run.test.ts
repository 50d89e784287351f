import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { REPOSITORY } from '../repository.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { findChromium, findSkippedSuites } from './optional-programs.ts';
import { runStage } from './run-stage.ts';
import { selectTests } from './select-tests.ts';
import { STAGES } from './stages.ts';
import { summarize } from './summarize.ts';
import { readTaskResults, readTestReport } from './task-results.ts';

const readJson = (file: string) => JSON.parse(readFileSync(join(REPOSITORY, file), 'utf8'));

/** A workspace of two packages, of which one has a test that fails. */
const makeWorkspace = (): string => {
  const folder = temporaryFolder();
  const write = (path: string, content: object | string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), typeof content === 'string' ? content : JSON.stringify(content));
  };
  const scriptOf = (source: string) => `node -e "${source}"`;
  write('package.json', {
    name: 'root',
    packageManager: readJson('package.json').packageManager,
    scripts: { lint: scriptOf('0') },
  });
  write('.gitignore', 'node_modules\n.turbo\n');
  write('pnpm-workspace.yaml', 'packages: ["packages/*"]\n');
  write('turbo.json', { envMode: 'loose', tasks: { test: {}, '//#lint': {}, hang: {} } });
  write('packages/good/package.json', { name: '@mailsweep/good', scripts: { test: scriptOf('0') } });
  write('packages/bad/package.json', {
    name: '@mailsweep/bad',
    scripts: {
      test: scriptOf('process.exit(2)'),
      hang: scriptOf("fs.writeFileSync('pid', String(process.pid)); setInterval(() => {}, 1e6)"),
    },
  });
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(join(REPOSITORY, 'node_modules/turbo'), join(folder, 'node_modules/turbo'));
  return folder;
};

const readTurboTasks = (): Record<string, object> => {
  const text = readFileSync(join(REPOSITORY, 'turbo.json'), 'utf8').replaceAll(/^ *\/\/ .*$/gm, '');
  return (JSON.parse(text) as { tasks: Record<string, object> }).tasks;
};

const WAIT = { timeout: 20_000 };

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    // There is no such process any more.
    return false;
  }
};

const run = (repository: string, tasks: string[], { signal = new AbortController().signal } = {}) => {
  const path = [
    join(REPOSITORY, 'tools/pnpm/node_modules/.bin'),
    dirname(process.execPath),
    '/usr/bin',
    '/bin',
  ];
  const env = { PATH: path.join(delimiter), HOME: repository };
  return runStage(tasks, { repository, env, force: false, signal });
};

describe('npm test', () => {
  it('runs every task, whatever becomes of the others, and again only what failed', async () => {
    const workspace = makeWorkspace();
    const outcome = async () =>
      (await run(workspace, ['test', 'lint']))
        .map(({ title, isCached, passed, failures }) => ({ title, isCached, passed, failures }))
        .toSorted((a, b) => a.title.localeCompare(b.title));
    const bad = { title: 'bad: test', isCached: false, passed: 0, failures: ['ended with code 2'] };
    const passed = (title: string, isCached: boolean) => ({ title, isCached, passed: 1, failures: [] });
    expect(await outcome()).toEqual([bad, passed('good: test', false), passed('lint', false)]);
    expect(await outcome()).toEqual([bad, passed('good: test', true), passed('lint', true)]);
  });

  it('ends the tasks that run when it is asked to', async () => {
    const stop = new AbortController();
    const workspace = makeWorkspace();
    const pidFile = join(workspace, 'packages/bad/pid');
    const running = run(workspace, ['hang'], { signal: stop.signal });
    const pid = await vi.waitUntil(() => existsSync(pidFile) && Number(readFileSync(pidFile, 'utf8')), WAIT);
    stop.abort();
    await running;
    await vi.waitUntil(() => !isAlive(pid), WAIT);
  });

  it('says so when turbo itself fails', async () => {
    expect(await run(makeWorkspace(), ['no-such-task'])).toMatchObject([
      { title: 'no-such-task', failures: ['turbo ended with code 1 before any task did'] },
    ]);
  });

  it('names what failed above the table, and sums up in the very last line', () => {
    const lines = summarize([
      { title: 'Types', seconds: 2.04, isCached: true, passed: 1, skipped: 0, failures: [], flaky: [] },
      {
        title: 'Unit tests',
        seconds: 61,
        isCached: false,
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
    expect(lines.at(-2)).toMatch(/^1 of 2 tasks were not run again \(1 of the tests\)/);
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
      failureMessages: ['1 is not 2\n at a.test.ts:7:1', '1 is not 3\n at a.test.ts:9:1'],
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
      failures: [
        'a.test.ts › sums adds: 1 is not 2 (line 7); when retried: 1 is not 3 (line 9)',
        'b.test.ts: no such module',
      ],
      flaky: [],
    });
  });

  it('names the tests that passed only when they were retried', () => {
    const retried = { status: 'passed', fullName: 'waits', failureMessages: ['too late\n at d.test.ts:3:5'] };
    const file = { name: '/here/d.test.ts', status: 'passed', assertionResults: [retried] };
    expect(read({ numPassedTests: 1, testResults: [file] }, 0)).toEqual({
      passed: 1,
      skipped: 0,
      failures: [],
      flaky: ['d.test.ts › waits: too late (line 3)'],
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
    expect(findSkippedSuites({ PATH: bin })).toHaveLength(3);
    for (const program of ['redis-server', 'firefox-esr']) writeFileSync(join(bin, program), '');
    expect(findSkippedSuites({ PATH: bin })).toEqual([expect.stringContaining('install chromium')]);
    expect(findSkippedSuites({ PATH: bin, CHROMIUM_PATH: '/opt/chromium' })).toEqual([]);
    expect(findChromium({ PATH: bin, CHROMIUM_PATH: '/opt/chromium' })).toBe('/opt/chromium');
    writeFileSync(join(bin, 'google-chrome'), '');
    expect(findChromium({ PATH: bin })).toBe(join(bin, 'google-chrome'));
  });

  it('reads of each task its own report, also of two of one package', () => {
    const repository = temporaryFolder();
    mkdirSync(join(repository, 'e2e/test-results'), { recursive: true });
    const tasks = [
      ['test:rest', 21],
      ['test:faults', 23],
    ] as const;
    for (const [task, numPassedTests] of tasks) {
      const report = JSON.stringify({ numPassedTests, numPendingTests: 0, testResults: [] });
      writeFileSync(join(repository, 'e2e/test-results', `${task.replace(':', '-')}.json`), report);
    }
    const summary = join(repository, 'summary.json');
    const toTask = ([task]: (typeof tasks)[number]) => ({
      taskId: `@mailsweep/e2e#${task}`,
      task,
      command: 'cd .. && vitest run',
      directory: 'e2e',
      cache: { status: 'MISS' },
      execution: { startTime: 0, endTime: 1_000, exitCode: 0 },
    });
    writeFileSync(summary, JSON.stringify({ tasks: tasks.map(toTask) }));
    expect(readTaskResults(summary, repository).map(({ passed }) => passed)).toEqual([21, 23]);
  });

  describe('after a change', () => {
    const FILES = [
      'docs/GMAIL.md',
      'packages/architecture.test.ts',
      'packages/jmap/src/index.ts',
      'packages/jmap/src/reading.test.ts',
      'packages/core/src/scan.int.test.ts',
      'apps/web/src/home.test.tsx',
      'tooling/e2e/home.e2e.test.ts',
    ];
    const select = (...changed: string[]) =>
      selectTests(changed, {
        files: FILES,
        read: (file) => (file.includes('core') ? "readFileSync('docs/GMAIL.md')" : ''),
      });

    it('runs what imports a changed module, and all tests of its workspace', () => {
      expect(select('packages/jmap/src/index.ts')).toEqual([
        'packages/architecture.test.ts',
        'packages/jmap/src/index.ts',
        'packages/jmap/src/reading.test.ts',
      ]);
      expect(select('packages/jmap/src/deleted.ts')).toEqual([
        'packages/architecture.test.ts',
        'packages/jmap/src/reading.test.ts',
      ]);
    });

    it('runs the tests that name a changed document', () => {
      expect(select('docs/GMAIL.md')).toEqual([
        'packages/architecture.test.ts',
        'packages/core/src/scan.int.test.ts',
      ]);
    });

    it('leaves tests of the whole product to their own task', () => {
      expect(select('tooling/e2e/home.e2e.test.ts')).toEqual(['packages/architecture.test.ts']);
    });

    it.each(['pnpm-lock.yaml', 'vitest.config.ts', 'packages/jmap/package.json', 'prisma/schema.prisma'])(
      'runs everything when %s changed',
      (file) => expect(select('packages/jmap/src/index.ts', file)).toBeNull(),
    );
  });

  it('knows each task that it runs, and leaves none to nobody', () => {
    const known = Object.keys(readTurboTasks()).map((task) => task.replace(/^.*#/, ''));
    const tasks = [...STAGES.all, ...STAGES.soak].flat();
    expect(tasks.filter((task) => !known.includes(task))).toEqual([]);
    const preparations = ['generate', 'build', 'sources'];
    expect(tasks.toSorted()).toEqual(known.filter((task) => !preparations.includes(task)).toSorted());
    expect([...STAGES.quick, ...STAGES.rest, ['test:nightly']]).toEqual(STAGES.all);
  });
});
