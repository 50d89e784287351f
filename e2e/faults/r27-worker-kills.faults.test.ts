import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { byForm, openRow, seededRandom } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';

const KILLS = byForm(3, 50);
const EVENTS_PER_KILL = 40;

const row = openRow('R27');

describeOnEachQueue('R27 a worker is killed', (queue) => {
  it(`at ${KILLS} random moments: each event is in the timeline exactly once`, async () => {
    explainFailure(stack);
    const random = seededRandom(`R27 ${queue}`);
    const ids: string[] = [];
    for (let kill = 0; kill < KILLS; kill += 1) {
      ids.push(...(await stack.publishEvents(EVENTS_PER_KILL)));
      await sleep(random() * 400);
      await stack.worker.kill();
      await stack.worker.start();
      row.ran();
    }
    await stack.settle();
    const { lost, doubled } = await stack.judgeEvents(ids);
    row.lost(lost);
    row.doubled(doubled);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue });
  });
});
