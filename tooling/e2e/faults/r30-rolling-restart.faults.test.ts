import { setTimeout as sleep } from 'node:timers/promises';
import { beforeAll, expect, it } from 'vitest';
import { startBalancer } from './harness/balancer.ts';
import { byForm, eventually, machineSlackMs, openRow, retriesUnderLoad } from './harness/campaign.ts';
import { describeOnEachQueue, explainFailure, type FaultStack, type User } from './harness/fault-stack.ts';
import { createRejections, startWithUsers } from './harness/many-users.ts';
import { startSteadyLoad } from './harness/steady-load.ts';

const ROUNDS = byForm(1, 5);
const REQUESTS_PER_SECOND = byForm(40, 200);
/** Every so many-th request confirms something; the others read. */
const CONFIRM_EVERY = 8;
const STOPPED_WITHIN_MS = 25_000;
/** How long all is left as it is between two restarts, in milliseconds. */
const CALM_MS = 1_000;

const row = openRow('R30');

describeOnEachQueue('R30 two APIs and two workers are restarted one by one under load', 'redis', (queue) => {
  it('no request fails, each process ends in time, and nothing is lost', {
    retry: retriesUnderLoad(),
  }, async () => {
    explainFailure(stack);
    const balancer = await startBalancer(stack.apis);
    const rejections = createRejections({ stack, users });
    const load = startSteadyLoad({
      requestsPerSecond: REQUESTS_PER_SECOND,
      send: async (number) => {
        const cookie = users[number % users.length]?.cookie ?? '';
        if (number % CONFIRM_EVERY !== 0) return balancer.ask('/api/v1/me', { cookie });
        return rejections.reject((user, path, json) => balancer.ask(path, { cookie: user.cookie, json }));
      },
    });
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const member of stack.members) {
        await sleep(CALM_MS);
        const { exitCode, tookMs } = await member.stop();
        expect(exitCode).toBe(0);
        expect(tookMs).toBeLessThan(STOPPED_WITHIN_MS + machineSlackMs());
        await member.start();
        if (stack.apis.includes(member)) await eventually(() => expect(balancer.isReady(member)).toBe(true));
        row.ran();
      }
    }
    const { replies, failures } = await load.stop();
    await balancer.close();
    for (const { tookMs } of replies) row.responded(tookMs);
    row.lost(failures.length);
    expect(failures).toEqual([]);

    await stack.waitUntilFinished();
    await rejections.judge(row);
  });

  let stack: FaultStack;
  let users: User[];
  beforeAll(async () => {
    ({ stack, users } = await startWithUsers({ queue, apis: 2, workers: 2 }));
  });
});
