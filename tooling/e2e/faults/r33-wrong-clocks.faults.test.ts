import { beforeAll, describe, expect, it } from 'vitest';
import { eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  type Member,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';

const SHIFT_CLOCK = new URL('./harness/shift-clock.ts', import.meta.url).href;

/** Environment of a process whose clock is wrong by so many minutes. */
const wrongBy = (minutes: number) => ({ NODE_OPTIONS: `--import=${SHIFT_CLOCK}?minutes=${minutes}` });
/** Longer than a worker's lock on a job lasts unless renewed, in milliseconds. */
const SLOW_CALL_MS = 9_000;
const DAY_MS = 24 * 3_600_000;

const row = openRow('R33');

describe('R33 two APIs whose clocks are ten minutes fast and slow', () => {
  it.each([
    ['61 s ago', '-61 s', 401],
    ['in five minutes', '5 min', 200],
  ])('hold a session that ends %s for what the database says', async (_when, ends, status) => {
    explainFailure(stack);
    const guest = await stack.signIn();
    await stack.query(
      `UPDATE "Session" SET "expiresAt" = now() + $2::interval WHERE "id" = (SELECT "id" FROM "Session" WHERE "userId" = $1 ORDER BY "createdAt" DESC LIMIT 1)`,
      [guest.userId, ends],
    );
    row.ran();
    for (const api of [fast, slow]) expect((await guest.ask('/api/v1/me', { of: api })).status).toBe(status);
  });

  it('sum up the database’s last day, both ends inclusive', async () => {
    explainFailure(stack);
    // Just within and just outside of the window by the true clock; ten minutes would change both.
    for (const age of ['23 h 59 min', '24 h 1 min', '-1 min']) {
      await stack.query(
        `INSERT INTO "NotificationEvent" ("id", "type", "userId", "summary", "createdAt")
         VALUES (gen_random_uuid(), 'domain.suggestions.confirmed', $1, '{"totalConfirmed":1,"action":"accept"}', now() - $2::interval)`,
        [ada.userId, age],
      );
    }
    row.ran();
    for (const api of [fast, slow]) {
      const { status, body } = await ada.ask('/api/v1/notifications/summary?period=daily', { of: api });
      expect({ status, totalEvents: body.totalEvents }).toEqual({ status: 200, totalEvents: 1 });
      expect(Date.parse(body.windowEnd) - Date.parse(body.windowStart)).toBe(DAY_MS);
      expect(Math.abs(Date.parse(body.windowEnd) - Date.now())).toBeLessThan(5_000 + machineSlackMs());
    }
  });

  let stack: FaultStack;
  let ada: User;
  let fast: Member;
  let slow: Member;
  beforeAll(async () => {
    stack = await startFaultStack({ apis: 3, workers: 0 });
    [, fast, slow] = stack.apis as [Member, Member, Member];
    await fast.stop();
    await slow.stop();
    await Promise.all([fast.start(wrongBy(10)), slow.start(wrongBy(-10))]);
    ada = await stack.signIn();
  });
});

describeOnEachQueue(
  'R33 a worker beside two whose clocks are ten minutes fast and slow',
  'postgres',
  (queue) => {
    it('keeps the jobs that it is at, and every event arrives once', async () => {
      explainFailure(stack);
      stack.webhook.behave((response) => {
        setTimeout(() => response.writeHead(204).end(), SLOW_CALL_MS);
      });
      const ids = await stack.publishEvents(20);
      row.ran();
      await stack.waitUntilFinished();
      const { lost, doubled } = await stack.judgeEvents(ids);
      const calls = stack.webhook.calls.length;
      row.lost(lost);
      row.doubled(doubled + calls - ids.length);
      expect({ lost, doubled, calls }).toEqual({ lost: 0, doubled: 0, calls: ids.length });
    });

    it('has its jobs taken over when it dies', async () => {
      explainFailure(stack);
      stack.webhook.behave();
      const ids = await stack.publishEvents(100);
      await stack.worker.kill();
      row.ran();
      await stack.worker.start();
      await eventually(async () => expect(await stack.judgeEvents(ids)).toEqual({ lost: 0, doubled: 0 }));
      await stack.waitUntilFinished();
    });

    let stack: FaultStack;
    beforeAll(async () => {
      stack = await startFaultStack({ queue, workers: 3 });
      const [, fast, slow] = stack.workers as [Member, Member, Member];
      await fast.stop();
      await slow.stop();
      await Promise.all([fast.start(wrongBy(10)), slow.start(wrongBy(-10))]);
    });
  },
);
