import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import type { Member } from '../faults/harness/fault-stack.ts';
import { readResidentBytes } from '../faults/harness/resident-bytes.ts';
import { medianOf } from '../faults/harness/steady-load.ts';

const FOLDER = 'tooling/e2e/test-results';
const MINUTE_MS = 60_000;
const MEGABYTE = 1024 ** 2;
/** What is measured of a process, and how much more of it is no growth: V8 gives memory back late, pools fill and empty. */
const SLACK = { 'resident [MB]': 48, files: 12, 'to Postgres': 4, 'to Redis': 4 };
type Measure = keyof typeof SLACK;
const MEASURES = Object.keys(SLACK) as Measure[];
/** How far the medians of the last sixth of the samples may lie above those of the second, beside the slack. */
const GROWTH = 1.2;
const REDIS_SLACK_BYTES = 8 * MEGABYTE;
/** Most that the database grows for each history record or arrived email, in kB. */
const KILOBYTES_PER_CHANGE = 24;
/** Share of requests that may be refused although nothing is at fault: the machine may be busy elsewhere. */
const CALM_REFUSALS = 0.01;
/** No response, a key in flight, too much at once, something unavailable: a client tries again. */
export const RETRIED = new Set([0, 409, 429, 503]);

/** What is stored at a moment; `changes` are history records and emails that arrived. */
type Stored = Record<'changes' | 'databaseBytes' | 'redisBytes', number>;
type Sample = Stored & { atMs: number; processes: Map<string, Record<Measure, number>> };
/** `isCalm`: nothing was at fault from the request to the response. */
type Response = { atMs: number; status: number; tookMs: number; isCalm: boolean };

const measure = ({ pid, links }: Member): Record<Measure, number> => ({
  'resident [MB]': readResidentBytes(pid()) / MEGABYTE,
  files: readdirSync(`/proc/${pid()}/fd`).length,
  'to Postgres': links.postgres.countConnections(),
  'to Redis': links.redis.countConnections(),
});
/** The middle of what a process had. */
const median = (samples: readonly Sample[], name: string, what: Measure): number =>
  Math.round(medianOf(samples.flatMap(({ processes }) => processes.get(name)?.[what] ?? [])));
const kilobytesPerChange = (from: Stored, to: Stored): number =>
  Math.round((to.databaseBytes - from.databaseBytes) / 1024 / Math.max(1, to.changes - from.changes));
const isFailure = ({ status }: Response): boolean => status === 0 || status >= 400;

/** The report of a soak. It is written every minute, so that it is there whatever becomes of the soak. */
export const openReport = ({ minutes, title }: { minutes: number; title: string }) => {
  const startedAt = new Date().toISOString().slice(0, 19);
  const startedMs = performance.now();
  const file = `${FOLDER}/soak-${startedAt.replaceAll(':', '-')}.md`;
  const responses: Response[] = [];
  const samples: Sample[] = [];
  const events: { name: string; atMs: number }[] = [];
  const checks: { what: string; problem: string }[] = [];
  const nowMs = () => performance.now() - startedMs;
  const check = (what: string, problem: string) => checks.push({ what, problem });
  const listProblems = () => checks.filter(({ problem }) => problem !== '');

  const judgeResponses = () => {
    const calm = responses.filter(({ isCalm }) => isCalm).length;
    const failed = responses.filter((one) => isFailure(one) && (one.isCalm || !RETRIED.has(one.status)));
    const refused = failed.filter(({ status }) => status === 429 || status === 503).length;
    const isTooMuch = failed.length > refused || refused > calm * CALM_REFUSALS;
    const counts = [...Map.groupBy(failed, ({ status }) => status)].map(
      ([status, all]) => `${all.length} × ${status}`,
    );
    const problem = isTooMuch ? counts.join(', ') : '';
    check(
      `of ${responses.length} requests, ${calm} are made while nothing is at fault, and succeed`,
      problem,
    );
  };
  const judgeGrowth = () => {
    const at = (sixths: number) => Math.floor((samples.length / 6) * sixths);
    const sixth = (n: number) => samples.slice(at(n - 1), at(n));
    const [early, late] = [sixth(2), sixth(6)];
    const [first, middle, last] = [early[0], sixth(4)[0], late.at(-1)];
    if (!first || !middle || !last)
      return check('samples can be compared', `only ${samples.length} were taken`);
    for (const what of MEASURES) {
      const grown = [...last.processes.keys()].flatMap((name) => {
        const [before, after] = [median(early, name, what), median(late, name, what)];
        return after > before * GROWTH + SLACK[what] ? [`${name} from ${before} to ${after}`] : [];
      });
      check(`${what} of no process grows`, grown.join(', '));
    }
    const growths = [kilobytesPerChange(first, middle), kilobytesPerChange(middle, last)];
    const isLittle = Math.max(...growths) <= KILOBYTES_PER_CHANGE;
    check(`the database grows by ${growths.join(', then ')} kB a change`, isLittle ? '' : 'too much');
    const isFlat = last.redisBytes <= first.redisBytes * GROWTH + REDIS_SLACK_BYTES;
    check(
      'the memory of Redis does not grow',
      isFlat ? '' : `from ${first.redisBytes} to ${last.redisBytes} bytes`,
    );
  };

  const toRow = (minute: number): string => {
    const isIn = ({ atMs }: { atMs: number }) => Math.floor(atMs / MINUTE_MS) === minute;
    const [own, measured] = [responses.filter(isIn), samples.filter(isIn)];
    const times = own.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
    const last = measured.at(-1);
    const names = [...(last?.processes.keys() ?? [])];
    const cells = [
      minute + 1,
      events.flatMap((event) => (isIn(event) ? [event.name] : [])).join('; '),
      own.length,
      own.filter(isFailure).length,
      ...[0.5, 0.95].map((share) => Math.round(times[Math.floor(times.length * share)] ?? 0)),
      ...MEASURES.map((what) => names.map((name) => median(measured, name, what)).join(' / ')),
      ...[last?.databaseBytes, last?.redisBytes].map((bytes = 0) => (bytes / MEGABYTE).toFixed(1)),
    ];
    return `| ${cells.join(' | ')} |`;
  };
  const summarize = (isOver: boolean): string => {
    const result = !isOver ? 'unfinished' : listProblems().length > 0 ? 'failed' : 'passed';
    const lines = checks.map(({ what, problem }) => (problem ? `- ✗ ${what}: ${problem}` : `- ✓ ${what}`));
    return [`# ${title}, ${minutes} minutes from ${startedAt}Z: ${result}`, '', ...lines, ''].join('\n');
  };
  const write = (isOver = false) => {
    const names = ['minute', 'events', 'requests', 'failed', 'p50 [ms]', 'p95 [ms]', ...MEASURES];
    const head = `| ${[...names, 'database [MB]', 'Redis [MB]'].join(' | ')} |`;
    const rows = Array.from({ length: Math.ceil(nowMs() / MINUTE_MS) }, (_, minute) => toRow(minute));
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(file, [summarize(isOver), head, head.replaceAll(/[^|]+/g, '---'), ...rows, ''].join('\n'));
  };

  return {
    nowMs,
    check,
    write,
    responded: (response: Response) => responses.push(response),
    happened: (name: string) => events.push({ name, atMs: nowMs() }),
    sample: (members: readonly Member[], stored: Stored) =>
      samples.push({
        ...stored,
        atMs: nowMs(),
        processes: new Map(members.map((member) => [member.name, measure(member)])),
      }),
    /** Judges what was measured, writes and prints the report, and returns what is wrong. */
    finish() {
      judgeResponses();
      judgeGrowth();
      write(true);
      process.stdout.write(`\n${summarize(true)}\n${file}\n\n`);
      return listProblems();
    },
  };
};
