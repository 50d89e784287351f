import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from './repository.ts';
import { watchStopSignals } from './supervision/stop-signals.ts';
import { findSkippedSuites } from './test-run/optional-programs.ts';
import { runStages, summarize } from './test-run/run-steps.ts';
import { planTestSteps, type TestScope } from './test-run/steps.ts';

/** Where the steps, and what they start, find programs. */
const PROGRAM_FOLDERS = ['node_modules/.bin', 'tools/pnpm/node_modules/.bin'];

const readScope = (): TestScope => {
  const { all, rest } = parseArgs({
    options: { all: { type: 'boolean', default: false }, rest: { type: 'boolean', default: false } },
  }).values;
  if (rest) return 'rest';
  return all ? 'all' : 'quick';
};

const scope = readScope();
const reportDir = mkdtempSync(join(tmpdir(), 'mailsweep-test-reports-'));
process.once('exit', () => rmSync(reportDir, { recursive: true, force: true }));
const write = (text: string): void => void process.stdout.write(text);

const stop = new AbortController();
void watchStopSignals({ source: process, nowMs: Date.now }).wished.then(() => stop.abort());

const results = await runStages(planTestSteps({ scope, repository: REPOSITORY, reportDir }), {
  env: {
    // The many processes that tests start take half the time with it.
    NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/node-compile'),
    ...process.env,
    PATH: [...PROGRAM_FOLDERS.map((folder) => join(REPOSITORY, folder)), process.env.PATH].join(delimiter),
  },
  write,
  signal: stop.signal,
});
write('\n');
for (const sentence of findSkippedSuites(process.env)) write(`${sentence}\n`);
if (stop.signal.aborted) write('Stopped before the end.\n');
write(`${summarize(results)}\n`);
process.exit(stop.signal.aborted || results.some(({ failures }) => failures.length > 0) ? 1 : 0);
