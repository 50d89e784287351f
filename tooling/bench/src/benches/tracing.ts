import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { startApi, startServer } from '../api-process.ts';
import { deployApi } from '../deployed-api.ts';
import { responsesPerSecond } from '../http-load.ts';
import { atLeastTimes, atMostTimes, median, type Result, runInTurn, type Speed } from '../measure.ts';
import { processorMs } from '../product/process-tree.ts';
import type { Servers } from '../servers.ts';
import { insertSignedInUser, signToken } from './authenticated-read.ts';
import { storeEvents } from './worker.ts';

/** Takes spans and does nothing with them: its response is the empty message of OTLP. */
const COLLECTOR = fileURLToPath(new URL('../floors/empty-server.mjs', import.meta.url));
const PATH = '/api/v1/notifications/history?perPage=20';
const CLIENTS = 16;
const RUN_MS = 800;
const WARM_UP_RUNS = 4;
const RUNS = 4;
/** How often each way of tracing has a process of its own: two that do the same differ by a tenth. */
const PROCESSES = 8;
const WORKER_ROUNDS = 7;
/** What tracing may cost. */
const LEAST_RATE = 0.95;
const MOST_PROCESSOR_TIME = 1.05;

/** Each way of tracing by the variables that switch it on. */
const toModes = (collectorPort: number) => {
  const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${collectorPort}`;
  const sampled = (share: string) => ({
    OTEL_EXPORTER_OTLP_ENDPOINT,
    OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
    OTEL_TRACES_SAMPLER_ARG: share,
  });
  return { off: {}, tenth: sampled('0.1'), all: sampled('1') };
};
type Modes = ReturnType<typeof toModes>;

/** Of the API or the worker, whose responses or events `each` names. */
const toResults = (what: string, each: string, speeds: Record<keyof Modes, Speed[]>): Result[] =>
  (['tenth', 'all'] as const).flatMap((mode) => {
    const sampled = `${mode === 'all' ? 'all traces' : 'a tenth of the traces'} sampled; floor: tracing off`;
    const medianOf = (figure: keyof Speed) => ({
      ours: median(speeds[mode].map((speed) => speed[figure])),
      floor: median(speeds.off.map((speed) => speed[figure])),
    });
    return [
      atLeastTimes(LEAST_RATE, {
        name: `${what}, ${sampled}`,
        unit: 'per second',
        ...medianOf('perSecond'),
      }),
      atMostTimes(MOST_PROCESSOR_TIME, {
        name: `${what}, processor time of the process for ${each}, ${sampled}`,
        unit: 'µs',
        ...medianOf('processorUs'),
      }),
    ];
  });

/** Requests a second of the API, deployed as its image has it, and events a second of the worker. */
export const measureTracing = async (servers: Servers): Promise<Result[]> => {
  const port = await getPort();
  await using _collector = await startServer({
    args: [COLLECTOR, String(port)],
    env: {},
    port,
    healthPath: '/',
  });
  const modes = toModes(port);
  return [...(await measureRequests(servers, modes)), ...(await measureEvents(servers, modes))];
};

const measureRequests = (servers: Servers, modes: Modes): Promise<Result[]> =>
  servers.withDatabase(async ({ url: databaseUrl, pool }) => {
    const encryptionKey = randomBytes(32);
    const token = signToken(await insertSignedInUser(pool), encryptionKey);
    await using deployed = await deployApi();
    /** The speed of a process that nothing else runs beside. */
    const measureProcess = async (env: Record<string, string>): Promise<Speed> => {
      const port = await getPort();
      await using api = await startApi({ deployed, databaseUrl, redisUrl: null, encryptionKey, port, env });
      const pid = api.child.pid ?? 0;
      const load = { port, path: PATH, token, connections: CLIENTS, durationMs: RUN_MS };
      for (let run = 0; run < WARM_UP_RUNS; run += 1) await responsesPerSecond(load);
      const beforeMs = processorMs(pid);
      const rates: number[] = [];
      for (let run = 0; run < RUNS; run += 1) rates.push(await responsesPerSecond(load));
      const responses = rates.reduce((sum, rate) => sum + rate, 0) * (RUN_MS / 1_000);
      return {
        perSecond: median(rates),
        processorUs: ((processorMs(pid) - beforeMs) / responses) * 1_000,
      };
    };
    const speeds: Record<keyof Modes, Speed[]> = { off: [], tenth: [], all: [] };
    const names = Object.keys(speeds) as (keyof Modes)[];
    // Forwards and backwards in turn, so that a machine that slows down is fair to all.
    for (let round = 0; round < PROCESSES; round += 1) {
      for (const mode of round % 2 === 0 ? names : names.toReversed())
        speeds[mode].push(await measureProcess(modes[mode]));
    }
    return toResults(`GET ${PATH}`, 'a response', speeds);
  });

const measureEvents = async (servers: Servers, modes: Modes): Promise<Result[]> => {
  const results: Result[] = [];
  for (const kind of ['redis', 'postgres'] as const) {
    if (kind === 'redis' && servers.redisUrl === null) continue;
    const run = (mode: keyof Modes) => () =>
      storeEvents(servers, kind, 1, { env: modes[mode], sampledEvery: mode === 'tenth' ? 10 : 1 });
    const runs = { off: run('off'), tenth: run('tenth'), all: run('all') };
    results.push(...toResults(`worker on ${kind}`, 'an event', await runInTurn(runs, WORKER_ROUNDS)));
  }
  return results;
};
