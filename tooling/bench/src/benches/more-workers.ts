import { atLeastTimes, medianRates, type Result } from '../measure.ts';
import type { Servers } from '../servers.ts';
import { storeEvents } from './worker.ts';

const WORKERS = [2, 4];
const ROUNDS = 3;

/** Events stored a second by several worker processes on one database and one queue, against one process. */
export const measureMoreWorkers = async (servers: Servers): Promise<Result[]> => {
  const results: Result[] = [];
  for (const kind of ['redis', 'postgres'] as const) {
    if (kind === 'redis' && servers.redisUrl === null) continue;
    for (const workers of WORKERS) {
      const rateOf = (count: number) => async () => (await storeEvents(servers, kind, count)).perSecond;
      const rates = await medianRates({ floor: rateOf(1), ours: rateOf(workers) }, ROUNDS);
      results.push(
        atLeastTimes(1, {
          name: `${workers} workers on ${kind}, events stored; floor: one worker`,
          unit: 'per second',
          ...rates,
        }),
      );
    }
  }
  return results;
};
