import { setTimeout as sleep } from 'node:timers/promises';
import { API_ROUTES, type RouteContract } from '@mailsweep/contracts';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { ask } from './harness/ask.ts';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  ADA,
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
  type User,
} from './harness/fault-stack.ts';
import { mails } from './harness/google.ts';

/** Longest wait for a 503, in milliseconds. */
const LONGEST_MS = 3_000;
const OUTAGE_MS = byForm(0, 60_000);
/** More than the API has connections. */
const CROWD = 30;

const READING_PATHS = Object.values<RouteContract>(API_ROUTES)
  .filter((route) => route.access !== 'public' && route.method === 'get')
  .map((route) => route.path);

const row = openRow('R25');

describeOnEachQueue('R25 the database', (queue) => {
  it.each(['cut', 'freeze'] as const)(
    'is gone (%s): alive, 503 in time everywhere, and back by itself',
    async (fault) => {
      explainFailure(stack);
      for (const link of stack.links('postgres')) link[fault]();
      row.ran();
      for (const startedMs = performance.now(); ; await sleep(1_000)) {
        await expectOutage();
        if (performance.now() - startedMs >= OUTAGE_MS) break;
      }
      expect(await stack.google.labelsOf(ADA, 'mail-1')).toContain('INBOX');

      for (const link of stack.links('postgres')) link.heal();
      await eventually(async () => expect((await ada.ask('/api/v1/me')).status).toBe(200));
      await eventually(async () => expect((await ask(`${stack.worker.url}/ready`)).status).toBe(200));
      // The whole way is open again, not only its beginning.
      const ids = await stack.publishEvents(3);
      await stack.waitUntilFinished();
      const { lost, doubled } = await stack.judgeEvents(ids);
      row.lost(lost);
      row.doubled(doubled);
      expect({ lost, doubled }).toEqual({ lost: 0, doubled: 0 });
    },
  );

  it('has no connection left: 503 in time for waiting requests, and 200 once there is', async () => {
    explainFailure(stack);
    const locked = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const holding = stack.database.database.$transaction(
      async (tx) => {
        await tx.$executeRawUnsafe('LOCK TABLE "User", "Session"');
        locked.resolve();
        await released.promise;
      },
      { timeout: 60_000 },
    );
    await locked.promise;
    const responses = await Promise.all(Array.from({ length: CROWD }, () => ada.ask('/api/v1/me')));
    row.ran();
    for (const response of responses) expectRefusal(response);
    released.resolve();
    await holding;
    await eventually(async () => expect((await ada.ask('/api/v1/me')).status).toBe(200));
  });

  const expectRefusal = (response: { status: number; body: unknown; tookMs: number }) => {
    row.responded(response.tookMs);
    expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(response.tookMs).toBeLessThan(LONGEST_MS + machineSlackMs());
  };

  const expectOutage = async () => {
    const alive = await ada.ask('/api/v1/health');
    expect(alive).toMatchObject({ status: 200, body: { status: 'ok' } });
    const action = (path: string, word: string) =>
      ada.ask(path, { json: { emailIds: ['mail-1'], action: word } });
    const responses = await Promise.all([
      ada.ask('/api/v1/health/db'),
      ...READING_PATHS.map((path) => ada.ask(path)),
      action('/api/v1/inbox/actions', 'delete'),
      action('/api/v1/notifications/confirm', 'accept'),
    ]);
    for (const response of responses) expectRefusal(response);
  };

  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    stack = await startFaultStack({ queue, mail: { [ADA]: mails(1) } });
    ada = await stack.signIn();
  });
  afterEach(() => {
    for (const link of stack.links('postgres')) link.heal();
  });
});
