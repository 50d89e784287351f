import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import getPort from 'get-port';
import { startApi, startServer } from '../api-process.ts';
import { deployApi } from '../deployed-api.ts';
import { atMost, median, type Result } from '../measure.ts';
import { residentMb } from '../product/process-tree.ts';
import type { Servers } from '../servers.ts';

const FLOOR = fileURLToPath(new URL('../floors/empty-server.mjs', import.meta.url));
const ROUNDS = 7;

/** From the start of the API process, deployed as its image has it, to its first response, and the memory it holds then. */
export const measureColdStart = (servers: Servers): Promise<Result[]> =>
  servers.withDatabase(async ({ url: databaseUrl }) => {
    await using deployed = await deployApi();
    const startOurs = async () => {
      const { redisUrl } = servers;
      return startApi({
        deployed,
        databaseUrl,
        redisUrl,
        encryptionKey: randomBytes(32),
        port: await getPort(),
      });
    };
    const startFloor = async () => {
      const port = await getPort();
      return startServer({
        args: [...deployed.nodeFlags, FLOOR, String(port)],
        env: {},
        port,
        healthPath: '/',
      });
    };
    const starts = { ours: startOurs, floor: startFloor };
    const times = { ours: [] as number[], floor: [] as number[] };
    const memory = { ours: [] as number[], floor: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const name of ['ours', 'floor'] as const) {
        await using server = await starts[name]();
        // The first of each fills the caches of the file system.
        if (round === 0) continue;
        times[name].push(server.startMs);
        memory[name].push(residentMb(server.child.pid ?? 0));
      }
    }
    const besideFloor = (line: Result, floor: number): Result => ({
      ...line,
      floor,
      ratio: line.ours / floor,
    });
    return [
      besideFloor(
        atMost(600, { name: 'API, start to first /health', unit: 'ms', ours: median(times.ours) }),
        median(times.floor),
      ),
      besideFloor(
        atMost(170, { name: 'API, memory held', unit: 'MB', ours: median(memory.ours) }),
        median(memory.floor),
      ),
    ];
  });
