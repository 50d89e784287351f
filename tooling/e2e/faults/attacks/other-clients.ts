import { Agent } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { ask, type Reply } from '../harness/ask.ts';
import { byForm, machineSlackMs, type Row } from '../harness/campaign.ts';
import {
  ADA,
  type FaultStack,
  type FaultStackOptions,
  type Member,
  startFaultStack,
  type User,
} from '../harness/fault-stack.ts';
import { readResidentBytes } from '../harness/resident-bytes.ts';
import { startSteadyLoad } from '../harness/steady-load.ts';

const OTHERS_ADDRESS = '127.0.0.2';
/** So many that none reaches its own limit of requests in flight when responses take seconds. */
const OTHER_ACCOUNTS = 8;

/** Addresses that only attacks come from. */
export const attackerAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.0.66.${index + 1}`);

const HEALTH = '/api/v1/health';
const PATHS = [HEALTH, '/api/v1/me', '/api/v1/notifications/history'];
/** Rare enough to be no load, often enough for a 95th percentile. */
const REQUESTS_PER_SECOND = byForm(15, 30);
const IDLE_MS = byForm(2_000, 15_000);

const HEALTH_P95_MS = 50;
const SLOWDOWN = 3;
/** The short form takes too few samples for a 95th percentile: it judges the median, with this slack in milliseconds. */
const MEDIAN_SLACK_MS = 200;
const RECOVERY_MS = 5_000;
const LARGEST_BYTES = 512 * 1024 * 1024;

/** Response times of a route, in milliseconds. */
interface Latency {
  count: number;
  p50: number;
  p95: number;
}

interface OthersReport {
  before: Record<string, Latency>;
  during: Record<string, Latency>;
  /** Responses other than 200 during the attack, by path and status, or by the error where there was none. */
  refusals: Record<string, number>;
  /** Until everything was served as before, from the end of the attack on. */
  recoveryMs: number;
  /** Most memory that the process held. */
  largestBytes: number;
}

interface Sample {
  path: string;
  reply: Reply;
}

/**
 * Starts an API with an account for the attack, and the accounts of others.
 *
 * @param options.mail - the messages of more accounts, by mail address
 * @param options.apiEnv - settings of the API that the attack is about
 */
export const startWithOthers = async (
  options: Pick<FaultStackOptions, 'mail' | 'workers' | 'apiEnv'> = {},
): Promise<{ stack: FaultStack; ada: User; others: User[] }> => {
  const emails = Array.from({ length: OTHER_ACCOUNTS }, (_, index) => `other-${index}@example.com`);
  const mail = { ...Object.fromEntries([ADA, ...emails].map((email) => [email, []])), ...options.mail };
  const stack = await startFaultStack({ workers: 0, ...options, mail });
  // The proxy to the database runs in the process that measures.
  await stack.api.stop();
  await stack.api.start({ DATABASE_URL: stack.database.url });
  const ada = await stack.signIn();
  const others: User[] = [];
  for (const email of emails) others.push(await stack.signIn(email));
  return { stack, ada, others };
};

/**
 * Measures what other accounts get from another address: first while nothing else happens, then from the beginning
 * of the attack to its end, half of the requests on new connections and half on kept-alive ones, and at last how
 * long the API takes to recover.
 *
 * @param attack - resolves after the attack has ended
 */
export const measureOthers = async (
  { api, others, row }: { api: Member; others: readonly User[]; row: Row },
  attack: () => Promise<void>,
): Promise<OthersReport> => {
  const keepAlive = new Agent({ keepAlive: true });
  const send = async (number: number): Promise<Sample> => {
    const path = PATHS[number % PATHS.length] ?? HEALTH;
    const agent = Math.floor(number / PATHS.length) % 2 === 0 ? { agent: keepAlive } : {};
    const cookie = others[Math.floor(number / (2 * PATHS.length)) % others.length]?.cookie ?? '';
    const question = { cookie, localAddress: OTHERS_ADDRESS, ...agent };
    return { path, reply: await ask(`${api.url}${path}`, question) };
  };
  const sampleWhile = async (work: () => Promise<unknown>): Promise<Sample[]> => {
    const samples: Promise<Sample>[] = [];
    const load = startSteadyLoad({
      requestsPerSecond: REQUESTS_PER_SECOND,
      send: async (number) => {
        const sample = send(number);
        samples.push(sample);
        return (await sample).reply;
      },
    });
    await work().finally(() => load.stop());
    return Promise.all(samples);
  };

  // Code is compiled and pools are full before anything is measured.
  for (let number = 0; number < 96; number += 1) await send(number);
  const before = latenciesOf(await sampleWhile(() => sleep(IDLE_MS)));

  let largestBytes = 0;
  const memory = setInterval(() => {
    largestBytes = Math.max(largestBytes, readResidentBytes(api.pid()));
  }, 100);
  let endedMs = 0;
  const attackAndRecover = async () => {
    await attack();
    endedMs = performance.now();
  };
  const samples = await sampleWhile(attackAndRecover).finally(() => clearInterval(memory));
  const recoveryMs = await timeRecovery(send, before, endedMs);
  keepAlive.destroy();

  row.ran();
  const refusals: Record<string, number> = {};
  for (const { path, reply } of samples) {
    row.responded(reply.tookMs);
    const name = `${path} ${reply.status === 0 ? reply.text : reply.status}`;
    if (reply.status !== 200) refusals[name] = (refusals[name] ?? 0) + 1;
  }
  return { before, during: latenciesOf(samples), refusals, recoveryMs, largestBytes };
};

/** Compares what others got with the limits above; the short form allows for a slow machine. */
export const expectOthersServed = (report: OthersReport): void => {
  const { before, during, refusals, recoveryMs, largestBytes } = report;
  const slow = PATHS.filter((path) => {
    const [idle, measured] = [latencyAt(before, path), latencyAt(during, path)];
    return !isFast(path, idle, measured);
  });
  const explained = JSON.stringify(report, null, 2);
  expect(refusals, explained).toEqual({});
  expect(slow, explained).toEqual([]);
  expect(recoveryMs, explained).toBeLessThan(RECOVERY_MS + machineSlackMs());
  expect(largestBytes, explained).toBeLessThan(LARGEST_BYTES);
};

const latencyAt = (latencies: Record<string, Latency>, path: string): Latency =>
  latencies[path] ?? { count: 0, p50: Number.NaN, p95: Number.NaN };

const isFast = byForm(
  (_path: string, idle: Latency, during: Latency) => during.p50 <= SLOWDOWN * idle.p50 + MEDIAN_SLACK_MS,
  (path: string, idle: Latency, during: Latency) => during.p95 <= longestMs(path, idle),
);

/** Longest 95th percentile of a route while others attack, in milliseconds. */
const longestMs = (path: string, idle: Latency): number =>
  path === HEALTH ? HEALTH_P95_MS : SLOWDOWN * idle.p95;

const latenciesOf = (samples: readonly Sample[]): Record<string, Latency> =>
  Object.fromEntries(
    PATHS.map((path) => {
      const times = samples
        .filter((sample) => sample.path === path)
        .map(({ reply }) => reply.tookMs)
        .toSorted((a, b) => a - b);
      const at = (share: number) => times[Math.ceil(times.length * share) - 1] ?? Number.NaN;
      return [path, { count: times.length, p50: at(0.5), p95: at(0.95) }];
    }),
  );

/** Asks for every route on both kinds of connection until all are served in time. */
const timeRecovery = async (
  send: (number: number) => Promise<Sample>,
  before: Record<string, Latency>,
  endedMs: number,
): Promise<number> => {
  for (;;) {
    const waitedMs = performance.now() - endedMs;
    let isRecovered = true;
    for (let number = 0; number < PATHS.length * 2; number += 1) {
      const { path, reply } = await send(number);
      isRecovered &&=
        reply.status === 200 && reply.tookMs <= longestMs(path, latencyAt(before, path)) + machineSlackMs();
    }
    if (isRecovered || waitedMs > 60_000) return waitedMs;
    await sleep(50);
  }
};
