import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import type { Reply } from './harness/ask.ts';
import { byForm, openRow, retriesUnderLoad } from './harness/campaign.ts';
import {
  ADA,
  describeOnRedis,
  explainFailure,
  type FaultStack,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';
import { medianOf, ONE_CLIENT_FOR_MANY, startSteadyLoad } from './harness/steady-load.ts';

/** How long the queue is away, and how long its normal state is observed before, in milliseconds. */
const OUTAGE_MS = byForm(6_000, 600_000);
const NORMAL_MS = byForm(3_000, 30_000);
const REQUESTS_PER_SECOND = 12;
/** Longest time until everything has arrived after the queue's return, in milliseconds. */
const DRAINED_WITHIN_MS = 60_000;
/** Share by which requests may be slower while the queue is away. */
const SLOWER_BY = 0.1;
/** What the rate limiter may wait for a store that does not respond, and the machine's noise, in milliseconds. */
const LIMITER_WAIT_MS = 50;
const NOISE_MS = byForm(60, 5);

const row = openRow('R26');

describeOnRedis('R26 the queue', () => {
  it('is away when the API starts: it serves, and everything arrives later', {
    retry: retriesUnderLoad(),
  }, async () => {
    explainFailure(stack);
    for (const link of stack.links('redis')) link.cut();
    await Promise.all(
      stack.members.map(async (member) => {
        await member.kill();
        await member.start();
      }),
    );
    ada = await stack.signIn();
    row.ran();
    await loadFor(2_000).finally(healQueue);
    await expectAllArrived();
  });

  it.each([
    ['refuses connections', 'cut', 0],
    ['is silent', 'freeze', LIMITER_WAIT_MS],
  ] as const)(
    '%s under load: no request fails or waits, and nothing is lost',
    { retry: retriesUnderLoad() },
    async (_how, fault, extraMs) => {
      explainFailure(stack);
      const normal = await loadFor(NORMAL_MS);
      for (const link of stack.links('redis')) link[fault]();
      row.ran();
      const outage = await loadFor(OUTAGE_MS / 2).finally(healQueue);
      // Others share the machine: what the queue is no part of tells how much slower it has become.
      const machineSlowdown = Math.max(1, outage.healthMs / normal.healthMs);
      const noiseMs = Math.max(NOISE_MS, outage.worstLagMs);
      const allowedMs = normal.medianMs * machineSlowdown * (1 + SLOWER_BY) + extraMs + noiseMs;
      expect(outage.medianMs, JSON.stringify({ normal, outage })).toBeLessThan(allowedMs);
      await expectAllArrived();
    },
  );

  const healQueue = () => {
    for (const link of stack.links('redis')) link.heal();
  };
  const confirmed: string[] = [];
  let requests = 0;
  let suggested = 0;
  /** Has suggestions made: what is told of them hangs on nothing else. */
  const suggest = async (): Promise<Reply> => {
    const reply = await ada.ask('/api/v1/suggestions');
    if (reply.status === 200) suggested += 1;
    return reply;
  };
  /** Turns a suggestion down: a database transaction with an event, and no call of the mailbox. */
  const reject = async (): Promise<Reply> => {
    requests += 1;
    const emailId = `mail-${requests}`;
    const reply = await ada.ask('/api/v1/notifications/confirm', {
      json: { emailIds: [emailId], action: 'reject' },
    });
    if (reply.status === 200) confirmed.push(emailId);
    return reply;
  };
  /** Asks the database as the others do, but needs no queue and no rate limiter. */
  const readHealth = (): Promise<Reply> => ada.ask('/api/v1/health');
  const kinds = [suggest, readHealth, reject, reject, readHealth, reject];
  /** Sends requests for a time; none may fail. Median times in milliseconds, those of the health route apart. */
  const loadFor = async (
    durationMs: number,
  ): Promise<{ medianMs: number; healthMs: number; worstLagMs: number }> => {
    const times: number[] = [];
    const healthTimes: number[] = [];
    const load = startSteadyLoad({
      requestsPerSecond: REQUESTS_PER_SECOND,
      send: async (number) => {
        const send = kinds[number % kinds.length] ?? reject;
        const reply = await send();
        row.responded(reply.tookMs);
        (send === readHealth ? healthTimes : times).push(reply.tookMs);
        return reply;
      },
    });
    await sleep(durationMs);
    const { failures, worstLagMs } = await load.stop();
    expect(failures).toEqual([]);
    return { medianMs: medianOf(times), healthMs: medianOf(healthTimes), worstLagMs };
  };
  const expectAllArrived = async () => {
    await stack.waitUntilFinished(DRAINED_WITHIN_MS);
    const judged = await stack.judgeConfirmed(ada.userId, confirmed);
    row.lost(judged.lostRecords + judged.lostInTimeline);
    row.doubled(judged.doubledRecords + judged.doubledInTimeline);
    expect(judged).toEqual({ lostRecords: 0, doubledRecords: 0, lostInTimeline: 0, doubledInTimeline: 0 });
    const [told] = await stack.query<{ count: number }>(
      `SELECT count(*)::int FROM "NotificationEvent" WHERE "type" = 'domain.suggestions.generated'`,
    );
    row.lost(Math.max(0, suggested - (told?.count ?? 0)));
    row.doubled(Math.max(0, (told?.count ?? 0) - suggested));
    expect(told?.count).toBe(suggested);
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({
      queue: 'redis',
      isStarted: false,
      mail: { [ADA]: mails(2, 'shown') },
      apiEnv: ONE_CLIENT_FOR_MANY,
    });
  });
});
