import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import { REPOSITORY } from './repository.ts';
import { watchStopSignals } from './supervision/stop-signals.ts';
import { findSkippedSuites } from './test-run/optional-programs.ts';
import { runStage } from './test-run/run-stage.ts';
import { STAGES } from './test-run/stages.ts';
import { summarize } from './test-run/summarize.ts';
import type { TaskResult } from './test-run/task-results.ts';

/** Where the tasks, and what they start, find programs. */
const PROGRAM_FOLDERS = ['node_modules/.bin', 'tools/pnpm/node_modules/.bin'];

const flag = { type: 'boolean', default: false } as const;
const options = { all: flag, rest: flag, force: flag, soak: { type: 'string' } } as const;
/** The soak has a length of its own, in minutes, unless it is given one. */
const args = process.argv.slice(2).map((word) => (word === '--soak' ? '--soak=' : word));
const { all, rest, force, soak } = parseArgs({ args, options }).values;
const scope = soak !== undefined ? 'soak' : rest ? 'rest' : all ? 'all' : 'quick';

const stop = new AbortController();
void watchStopSignals({ source: process, nowMs: Date.now }).wished.then(() => stop.abort());

const env = {
  // The many processes that tests start take half the time with it.
  NODE_COMPILE_CACHE: join(REPOSITORY, 'node_modules/.cache/node-compile'),
  ...process.env,
  ...(soak && { SOAK_MINUTES: soak }),
  PATH: [...PROGRAM_FOLDERS.map((folder) => join(REPOSITORY, folder)), process.env.PATH].join(delimiter),
};
const results: TaskResult[] = [];
for (const tasks of STAGES[scope]) {
  if (stop.signal.aborted) break;
  results.push(...(await runStage(tasks, { repository: REPOSITORY, env, force, signal: stop.signal })));
}
const sentences = [
  ...findSkippedSuites(process.env),
  ...(stop.signal.aborted ? ['Stopped before the end.'] : []),
  summarize(results),
];
process.stdout.write(`\n${sentences.join('\n')}\n`);
process.exit(stop.signal.aborted || results.some(({ failures }) => failures.length > 0) ? 1 : 0);
