import { beforeAll, expect, it } from 'vitest';
import { byForm, eventually, openRow, seededRandom } from './harness/campaign.ts';
import { killAtPoint } from './harness/exchange-points.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';

const KILLS = byForm(3, 25);
const EVENTS_PER_KILL = 60;
/** A kill comes at one of this many exchanges with database and queue; some three for each event. */
const EXCHANGES = 150;
/** Longest time until a dead worker's job is done by another, in milliseconds. */
const REDELIVERED_WITHIN_MS = 15_000;

const row = openRow('R27');

describeOnEachQueue('R27 a worker is killed', 'redis', (queue) => {
  it(`at ${KILLS} random moments: each event is in the timeline exactly once, within 15 s`, async () => {
    explainFailure(stack);
    const random = seededRandom(`R27 ${queue}`);
    const links = queue === 'redis' ? (['postgres', 'redis'] as const) : (['postgres'] as const);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const victim = stack.workers[kill % stack.workers.length] ?? stack.worker;
      const killed = killAtPoint(victim, links, { exchange: 1 + Math.floor(random() * EXCHANGES) });
      const ids = await stack.publishEvents(EVENTS_PER_KILL);
      await killed;
      row.ran();
      await eventually(
        async () => expect(await stack.judgeEvents(ids)).toMatchObject({ lost: 0 }),
        REDELIVERED_WITHIN_MS,
      );
      const { lost, doubled } = await stack.judgeEvents(ids);
      row.lost(lost);
      row.doubled(doubled);
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
      await victim.start();
    }
    await stack.waitUntilFinished();
    // Nor is the workflow service left out; it may be called twice, under the same id.
    const [outbox] = await stack.query<{ pending: number }>(
      `SELECT count(*)::int AS pending FROM "OutboxEvent" WHERE "webhookState" IS DISTINCT FROM 'done'`,
    );
    expect(outbox).toEqual({ pending: 0 });
    expect(new Set(stack.webhook.calls.map(({ id }) => id)).size).toBe(KILLS * EVENTS_PER_KILL);
  });

  it('after it stored an event and before the queue heard of it: the second delivery changes nothing', async () => {
    explainFailure(stack);
    const ids = await stack.publishEvents(10);
    await stack.waitUntilFinished();
    const stored = () => stack.query('SELECT * FROM "NotificationEvent" ORDER BY "id"');
    const before = await stored();
    const events = await stack.query<{ id: string; name: string; data: object }>(
      'SELECT "id", "type" AS "name", "payload" AS "data" FROM "OutboxEvent" WHERE "id" = ANY($1)',
      [ids],
    );
    await stack.queue.addJobs('domain-events', events);
    row.ran();
    await stack.waitUntilFinished();
    expect(await stored()).toEqual(before);
  });

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue, workers: 2 });
  });
});
