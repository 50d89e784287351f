import { Console } from 'node:console';
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { measureActing } from './benches/acting.ts';
import { measureActivity } from './benches/activity.ts';
import { measureAddedTime } from './benches/added-time.ts';
import { measureAuthenticatedRead } from './benches/authenticated-read.ts';
import { measureBurst } from './benches/burst.ts';
import { measureBusyAccounts } from './benches/busy-accounts.ts';
import { measureCleanup } from './benches/cleanup.ts';
import { measureColdStart } from './benches/cold-start.ts';
import { measureHistory } from './benches/history.ts';
import { measureInsertHistory } from './benches/insert-history.ts';
import { measureJmap } from './benches/jmap.ts';
import { measureLargeDatabase } from './benches/large-database.ts';
import { measureLearning } from './benches/learning.ts';
import { measureLocalStack } from './benches/local-stack.ts';
import { measureMlDead } from './benches/ml-dead.ts';
import { measureMoreWorkers } from './benches/more-workers.ts';
import { measurePages } from './benches/pages.ts';
import { measureScan } from './benches/scan.ts';
import { measureScanYields } from './benches/scan-yields.ts';
import { measureSuggestionGroups } from './benches/suggestion-groups.ts';
import { measureSummary } from './benches/summary.ts';
import { measureSurvey } from './benches/survey.ts';
import { measureTracing } from './benches/tracing.ts';
import { measureWatch } from './benches/watch.ts';
import { measureWorker } from './benches/worker.ts';
import type { Result } from './measure.ts';
import { type Servers, startServers } from './servers.ts';

const { values, positionals: names } = parseArgs({
  args: process.argv.slice(2).filter((argument) => argument !== '--'),
  options: {
    accounts: { type: 'string', default: '8' },
    workers: { type: 'string', default: '1' },
    loop: { type: 'string', multiple: true, default: [] },
  },
  allowPositionals: true,
});

const BENCHES: Record<string, (servers: Servers) => Promise<Result[]>> = {
  history: measureHistory,
  summary: measureSummary,
  'insert-history': measureInsertHistory,
  activity: measureActivity,
  learning: measureLearning,
  'suggestion-groups': measureSuggestionGroups,
  worker: measureWorker,
  'more-workers': measureMoreWorkers,
  burst: measureBurst,
  'busy-accounts': (servers) =>
    measureBusyAccounts(servers, {
      accounts: Number(values.accounts),
      workers: Number(values.workers),
      loops: values.loop,
    }),
  'large-database': measureLargeDatabase,
  'authenticated-read': measureAuthenticatedRead,
  'cold-start': measureColdStart,
  pages: measurePages,
  acting: measureActing,
  cleanup: measureCleanup,
  jmap: measureJmap,
  'added-time': measureAddedTime,
  'ml-dead': measureMlDead,
  'local-stack': measureLocalStack,
  scan: measureScan,
  'scan-yields': measureScanYields,
  survey: measureSurvey,
  watch: measureWatch,
  tracing: measureTracing,
};

const terminal = new Console(process.stdout);
const RESULTS_FILE = new URL('../results.json', import.meta.url);

const round = (value: number | undefined) =>
  value === undefined ? '' : value >= 1_000 ? Math.round(value) : Number(value.toPrecision(3));

const toLine = ({ name, unit, ours, floor, ratio, target, isMet }: Result) => ({
  what: name,
  unit,
  ours: round(ours),
  floor: round(floor),
  ratio: round(ratio),
  target,
  met: isMet ? 'yes' : 'no',
});

const unknown = names.filter((name) => BENCHES[name] === undefined);
if (unknown.length > 0) {
  process.stderr.write(
    `No bench is called ${unknown.join(', ')}. There are: ${Object.keys(BENCHES).join(', ')}\n`,
  );
  process.exit(2);
}

await using servers = await startServers();
// Without this a signal would end the process at once, and leave its servers running.
const stopOn = (signal: NodeJS.Signals, exitCode: number) =>
  process.once(signal, async () => {
    await servers[Symbol.asyncDispose]();
    process.exit(exitCode);
  });
stopOn('SIGINT', 130);
stopOn('SIGTERM', 143);
const results: Result[] = [];
for (const [name, measure] of Object.entries(BENCHES)) {
  if (names.length > 0 && !names.includes(name)) continue;
  process.stdout.write(`${name} …\n`);
  const measured = await measure(servers);
  terminal.table(measured.map(toLine));
  results.push(...measured);
}
writeFileSync(RESULTS_FILE, `${JSON.stringify(results, null, 2)}\n`);
