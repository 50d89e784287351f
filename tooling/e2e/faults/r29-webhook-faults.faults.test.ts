import { signatureOf, type WebhookBehaviour } from '@mailsweep/worker/testing/webhook-receiver';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually, openRow } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';

const WEBHOOK_QUEUE = 'deliver-webhook';
const GIGABYTE = 1024 ** 3;
/** Bytes that systems and proxy hold in their buffers although nobody reads them, at most. */
const BUFFERED_BYTES = 16 * 1024 * 1024;
const CALL_TIMEOUT_MS = 15_000;
/** The waits between the attempts, in seconds (docs/decisions/013), and by how much each may differ. */
const DELAYS_S = [5, 300, 1_800, 7_200, 18_000, 36_000, 36_000];
const JITTER = 0.2;
const DAY_S = 24 * 3_600;

/** A resolver by which one name leads to where clouds keep their credentials. */
const FAKE_DNS = new URL('./harness/fake-dns.ts', import.meta.url).href;

const respondWithStatus =
  (status: number, headers: Record<string, string> = {}): WebhookBehaviour =>
  (response) =>
    void response.writeHead(status, headers).end();

/** Misbehaves on the first call, and takes the second. */
const atFirst =
  (fault: WebhookBehaviour): WebhookBehaviour =>
  (response, callNumber, id) =>
    callNumber === 1 ? fault(response, callNumber, id) : void response.writeHead(204).end();

const row = openRow('R29');

describeOnEachQueue('R29 the workflow service', 'redis', (queue) => {
  it.each([
    ['responds with 500', respondWithStatus(500), 5],
    [
      'redirects to a metadata address',
      respondWithStatus(302, { location: 'http://169.254.169.254/latest' }),
      5,
    ],
    ['redirects to an address that answers', respondWithStatus(302, { location: '/elsewhere' }), 5],
    ['resets the connection', (response) => response.socket?.resetAndDestroy(), 5],
    ['responds with 429 and says when to return', respondWithStatus(429, { 'retry-after': '2' }), 2],
  ] as [string, WebhookBehaviour, number][])(
    '%s: it is called again in time, under the same id, and nobody else is',
    async (_name, fault, delayS) => {
      stack.webhook.behave(atFirst(fault));
      const [id] = await stack.publishEvents(1);
      await expectWebhookDone(id);
      const calls = callsOf(id);
      expect(calls).toHaveLength(2);
      for (const call of calls) {
        expect(call.path).toBe('/hook');
        expect(call.headers['webhook-signature']).toBe(
          signatureOf(call, stack.secrets.WEBHOOK_SIGNING_SECRET),
        );
      }
      const waitedS = ((calls[1]?.atMs ?? 0) - (calls[0]?.atMs ?? 0)) / 1_000;
      expect(waitedS).toBeGreaterThanOrEqual(delayS * (1 - JITTER) - 0.1);
      expect(waitedS).toBeLessThan(60);
    },
  );

  it('responds with 410: it is not called again, and the event stays a dead letter', async () => {
    stack.webhook.behave(respondWithStatus(410));
    const [id] = await stack.publishEvents(1);
    await eventually(async () =>
      expect(await stack.countUnfinished()).toMatchObject({ jobs: 0, deadLetters: 1 }),
    );
    await expectWebhookDone(id);
    expect(callsOf(id)).toHaveLength(1);
    await (await stack.queue.openQueue(WEBHOOK_QUEUE)).remove(id ?? '');
  });

  it('hangs: the call is cut after 15 s and made again', async () => {
    stack.webhook.behave(atFirst(() => undefined));
    const [id] = await stack.publishEvents(1);
    await eventually(() => expect(callsOf(id)).toHaveLength(2), 60_000);
    const [first, second] = callsOf(id);
    const waitedMs = (second?.atMs ?? 0) - (first?.atMs ?? 0);
    expect(waitedMs).toBeGreaterThanOrEqual(CALL_TIMEOUT_MS + 5_000 * (1 - JITTER) - 100);
    await expectWebhookDone(id);
  });

  it('responds with a gigabyte: it is not read, and the event counts as delivered', async () => {
    let sent = 0;
    stack.webhook.behave((response) => {
      response.writeHead(200, { 'content-length': String(GIGABYTE) });
      const block = Buffer.alloc(64 * 1024);
      const pour = () => {
        while (!response.destroyed && sent < GIGABYTE) {
          sent += block.length;
          if (!response.write(block)) return void response.once('drain', pour);
        }
      };
      pour();
    });
    const [id] = await stack.publishEvents(1);
    await expectWebhookDone(id);
    expect(callsOf(id)).toHaveLength(1);
    expect(sent).toBeLessThan(BUFFERED_BYTES);
  });

  it.each([
    ['a name that leads to a metadata address', 'metadata.test'],
    ['a metadata address of its own', '169.254.169.254'],
  ])('has %s: it is never called', async (_what, host) => {
    await stack.worker.stop();
    await stack.worker.start({
      NODE_OPTIONS: `--import=${FAKE_DNS}`,
      WORKFLOW_WEBHOOK_URL: `http://${host}:${stack.worker.links.webhook.port}/hook`,
    });
    const [id] = await stack.publishEvents(1);
    await eventually(async () =>
      expect(await readDelayed(id)).toMatchObject({
        failedReason: expect.stringContaining('address_refused'),
      }),
    );
    expect(stack.webhook.calls).toEqual([]);
    await stack.worker.stop();
    await stack.worker.start();
    await eventually(() => promote(id), 60_000);
    await expectWebhookDone(id);
  });

  it('is down for more than a day: it gets the event once it is up, under the same id', async () => {
    stack.webhook.behave(respondWithStatus(503));
    const [id] = await stack.publishEvents(1);
    let waitedS = 0;
    for (const [index, delayS] of DELAYS_S.entries()) {
      const job = await eventually(async () => {
        const delayed = await readDelayed(id);
        expect(delayed).toMatchObject({ attemptsMade: index + 1 });
        return delayed;
      });
      const plannedS = job.delayMs / 1_000;
      expect(Math.abs(plannedS - delayS)).toBeLessThanOrEqual(delayS * JITTER + 0.1);
      waitedS += plannedS;
      if (index === DELAYS_S.length - 1) stack.webhook.behave();
      // Time goes by for this job alone: it is due now.
      await promote(id);
    }
    expect(waitedS).toBeGreaterThan(DAY_S * (1 - JITTER));
    await expectWebhookDone(id);
    expect(callsOf(id)).toHaveLength(DELAYS_S.length + 1);
    expect(stack.webhook.calls.every((call) => call.id === id)).toBe(true);
  });

  /** As Standard Webhooks has it: an HMAC over id, time and body. */
  const callsOf = (id: string | undefined) => stack.webhook.calls.filter((call) => call.id === id);
  const readDelayed = async (id: string | undefined) => {
    const job = await (await stack.queue.openQueue(WEBHOOK_QUEUE)).getJob(id ?? '');
    if (job === undefined || !(await job.isDelayed())) throw new Error('the job does not wait');
    return { attemptsMade: job.attemptsMade, delayMs: job.delay, failedReason: job.failedReason };
  };
  const promote = async (id: string | undefined) => {
    const job = await (await stack.queue.openQueue(WEBHOOK_QUEUE)).getJob(id ?? '');
    await job?.promote();
  };
  const expectWebhookDone = (id: string | undefined) =>
    eventually(async () => {
      expect(await stack.query('SELECT "webhookState" FROM "OutboxEvent" WHERE "id" = $1', [id])).toEqual([
        { webhookState: 'done' },
      ]);
    }, 60_000);

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue });
  });
  beforeEach(() => {
    explainFailure(stack);
    stack.webhook.calls.length = 0;
    row.ran();
  });
});
