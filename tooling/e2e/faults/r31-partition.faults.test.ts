import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { byForm, openRow, retriesUnderLoad, seededRandom } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  type Member,
  type User,
} from './harness/fault-stack.ts';
import { createRejections, inTurn, startWithUsers } from './harness/many-users.ts';
import { startSteadyLoad } from './harness/steady-load.ts';

const ROUNDS = byForm(1, 8);
const PARTITION_MS = byForm(10_000, 60_000);
const REQUESTS_PER_SECOND = 10;
const DRAINED_WITHIN_MS = 90_000;

const row = openRow('R31');

describeOnEachQueue('R31 two APIs and three workers', 'redis', (queue) => {
  it('are torn apart under load, and a worker dies: what was confirmed is recorded and published, once', {
    retry: retriesUnderLoad(),
  }, async () => {
    explainFailure(stack);
    const rejections = createRejections({ stack, users });
    const nextApi = inTurn(stack.apis);
    const random = seededRandom(`R31 ${queue}`);
    const pick = (members: Member[]): Member =>
      members[Math.floor(random() * members.length)] ?? stack.worker;
    for (let round = 0; round < ROUNDS; round += 1) {
      const load = startSteadyLoad({
        requestsPerSecond: REQUESTS_PER_SECOND,
        send: () => rejections.reject((user, path, json) => user.ask(path, { json, of: nextApi() })),
      });
      const cutOff = [pick(stack.apis), pick(stack.workers)];
      const victim = pick(stack.workers.filter((worker) => !cutOff.includes(worker)));
      // Half of the time connections die, half of the time they fall silent.
      const fault = random() < 0.5 ? 'cut' : 'freeze';
      const [api, worker] = cutOff;
      // An API keeps its database: without, it could only refuse. A worker loses everything.
      api?.links.redis[fault]();
      for (const link of Object.values(worker?.links ?? {})) link[fault]();
      row.ran();
      await sleep(PARTITION_MS / 2);
      await victim.kill();
      await sleep(PARTITION_MS / 2);
      for (const member of cutOff) for (const link of Object.values(member.links)) link.heal();
      await victim.start();
      const { replies, failures } = await load.stop();
      for (const { tookMs } of replies) row.responded(tookMs);
      expect(failures).toEqual([]);
    }
    await stack.waitUntilFinished(DRAINED_WITHIN_MS);
    await rejections.judge(row);
  });

  let stack: FaultStack;
  let users: User[];
  beforeAll(async () => {
    ({ stack, users } = await startWithUsers({ queue, apis: 2, workers: 3 }));
  });
});
