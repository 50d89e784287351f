import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { ask, type Reply } from './harness/ask.ts';
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
import { startOwnPostgres } from './harness/own-servers.ts';
import { startSteadyLoad } from './harness/steady-load.ts';

/** Longest wait for a 503, in milliseconds. */
const LONGEST_MS = 3_000;
const OUTAGE_MS = byForm(0, 60_000);
/** More than a load goes through, twice. */
const MAILS = 1_000;
/** In flight when the database takes no more writes. */
const EVENTS = 30;

const row = openRow('R25');

describeOnEachQueue('R25 the database', 'postgres', (queue) => {
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

  const expectRefusal = (response: { status: number; body: unknown; tookMs: number }) => {
    row.responded(response.tookMs);
    expect(response).toMatchObject({ status: 503, body: { code: 'database_unavailable' } });
    expect(response.tookMs).toBeLessThan(LONGEST_MS + machineSlackMs());
  };

  const expectOutage = async () => {
    const alive = await ada.ask('/api/v1/health');
    expect(alive).toMatchObject({ status: 200, body: { status: 'ok' } });
    const responses = await Promise.all([
      ada.ask('/api/v1/health/db'),
      ada.ask('/api/v1/me'),
      ada.ask('/api/v1/inbox/actions', { json: { emailIds: ['mail-1'], action: 'delete' } }),
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

describeOnEachQueue('R25 the database takes no writes, as after a failover', 'postgres', (queue) => {
  it('gets 503 from what would write, loses nothing, and is back by itself', async () => {
    explainFailure(stack);
    let answered = 0;
    const rejected: string[] = [];
    const reject = async (): Promise<Reply> => {
      nextMail += 1;
      const emailId = `mail-${nextMail}`;
      const reply = await ada.ask('/api/v1/notifications/confirm', {
        json: { emailIds: [emailId], action: 'reject' },
      });
      if (reply.status === 200) rejected.push(emailId);
      return reply;
    };
    const requests = [
      reject,
      () => ada.ask('/api/v1/emails'),
      () => ada.ask('/api/v1/notifications/history'),
      () => ada.ask('/api/v1/suggestions'),
      () => ada.ask('/api/v1/inbox/actions', { json: { emailIds: ['mail-1'], action: 'mark_read' } }),
    ];
    const load = startSteadyLoad({
      requestsPerSecond: 5,
      send: async (number) => {
        const reply = await (requests[number % requests.length] ?? reject)();
        answered += 1;
        return reply;
      },
    });
    const serveForAWhile = async () => {
      const before = answered;
      await eventually(() => expect(answered).toBeGreaterThan(before + 4 * requests.length));
    };
    const readReadiness = async (): Promise<unknown[]> =>
      Promise.all(
        [stack.api, stack.worker].map(async ({ operationsUrl }) => {
          const { status, body } = await ask(`${operationsUrl}/ready`);
          return [status, ...body.failing];
        }),
      );

    await serveForAWhile();
    const events = await stack.publishEvents(EVENTS);
    await postgres.changeSetting('SET default_transaction_read_only = on');
    const failing = queue === 'postgres' ? ['database', 'queue'] : ['database'];
    await eventually(async () =>
      expect(await readReadiness()).toEqual([
        [503, ...failing],
        [503, ...failing],
      ]),
    );
    row.ran();
    await serveForAWhile();
    const { headers } = await ask(`${stack.api.url}/auth/idp`);
    expect(headers.location).toContain('error=temporarily_unavailable');
    // A process that starts just now waits, too.
    await stack.worker.stop();
    await stack.worker.start();
    await sleep(OUTAGE_MS);

    await postgres.changeSetting('RESET default_transaction_read_only');
    await eventually(async () => expect(await readReadiness()).toEqual([[200], [200]]));
    await serveForAWhile();
    const { replies } = await load.stop();
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.length).toBeGreaterThan(0);
    for (const { status, body, headers: sent } of refused) {
      expect(status).toBe(503);
      // Changes of one mailbox wait in line: on a slow machine, for longer than they may.
      expect(['database_unavailable', 'mailbox_busy']).toContain(body?.code);
      expect(Number(sent['retry-after'])).toBeGreaterThan(0);
    }

    events.push(...(await stack.publishEvents(EVENTS)));
    await stack.waitUntilFinished();
    const { lost, doubled } = await stack.judgeEvents(events);
    const { lostRecords, doubledRecords } = await stack.judgeConfirmed(ada.userId, rejected);
    row.lost(lost + lostRecords);
    row.doubled(doubled + doubledRecords);
    expect({ lost, doubled, lostRecords, doubledRecords }).toEqual({
      lost: 0,
      doubled: 0,
      lostRecords: 0,
      doubledRecords: 0,
    });
  });

  let nextMail = 0;
  let postgres: Awaited<ReturnType<typeof startOwnPostgres>>;
  let stack: FaultStack;
  let ada: User;
  beforeAll(async () => {
    postgres = await startOwnPostgres();
    stack = await startFaultStack({ queue, database: postgres.database, mail: { [ADA]: mails(MAILS) } });
    ada = await stack.signIn();
  });
  afterAll(() => postgres.close());
});
