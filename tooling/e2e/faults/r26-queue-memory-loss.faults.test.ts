import { beforeAll, expect, it } from 'vitest';
import { forgetEverything } from './harness/ask-redis.ts';
import { byForm, eventually, openRow } from './harness/campaign.ts';
import { describeOnRedis, explainFailure, type FaultStack, startFaultStack } from './harness/fault-stack.ts';

const EVENTS = byForm(50, 2_000);
/** An event counts as lost by the queue after a minute (docs/decisions/012); a round of the sweeper takes ten seconds. */
const ARRIVED_WITHIN_MS = 120_000;

const row = openRow('R26');

describeOnRedis('R26 the queue loses its memory', () => {
  it('every event arrives all the same, once', async () => {
    explainFailure(stack);
    // Nobody takes jobs while they are wiped out.
    stack.worker.links.redis.cut();
    const ids = await stack.publishEvents(EVENTS);
    await eventually(async () =>
      expect(await stack.query('SELECT FROM "OutboxEvent" WHERE "publishedAt" IS NULL')).toEqual([]),
    );
    await forgetEverything(stack.redis?.url ?? '');
    row.ran();
    stack.worker.links.redis.heal();
    await stack.waitUntilFinished(ARRIVED_WITHIN_MS);
    const { lost, doubled } = await stack.judgeEvents(ids);
    row.lost(lost);
    row.doubled(doubled);
    expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
    expect(new Set(stack.webhook.calls.map(({ id }) => id)).size).toBe(EVENTS);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue: 'redis' });
  });
});
