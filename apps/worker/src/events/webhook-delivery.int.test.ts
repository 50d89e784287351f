import type { ServerResponse } from 'node:http';
import { WebhookBodySchema } from '@mailsweep/contracts';
import { DELIVERY_RETRIES, listDeadLetters, replayDeadLetters, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { expect, it } from 'vitest';
import { respondWithStatuses, startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { SIGNING_SECRET, useWorker } from '../testing/worker-harness.ts';

describeOnEachQueue('R29: the workflow service', (kind) => {
  const worker = useWorker(kind);

  it('is called about generated suggestions, signed, in the form of Standard Webhooks', async () => {
    const receiver = await startWebhookReceiver();
    await worker.start({ receiver });
    const event = domainEvents.generated();
    const id = await worker.publishEvent(event);
    await eventually(() => expect(receiver.calls).toHaveLength(1));
    const { headers = {}, body = '' } = receiver.calls[0] ?? {};
    expect(headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': id });
    const verified = new Webhook(SIGNING_SECRET).verify(body, headers as Record<string, string>);
    expect(WebhookBodySchema.parse(verified)).toEqual({
      type: event.type,
      timestamp: event.generatedAt,
      data: { userId: event.userId, summary: event.summary },
    });
  });

  it('can verify a call with either secret while they are rotated, the new signature first', async () => {
    const receiver = await startWebhookReceiver();
    const previous = `whsec_${Buffer.alloc(32, 8).toString('base64')}`;
    await worker.start({ receiver, signingSecrets: [SIGNING_SECRET, previous] });
    await worker.publishEvent(domainEvents.generated());
    await eventually(() => expect(receiver.calls).toHaveLength(1));
    const { body = '', headers: received = {} } = receiver.calls[0] ?? {};
    const headers = received as Record<string, string>;
    for (const secret of [SIGNING_SECRET, previous]) {
      expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
    }
    const [newest = '', ...others] = headers['webhook-signature']?.split(' ') ?? [];
    expect(others).toHaveLength(1);
    const withNewest = { ...headers, 'webhook-signature': newest };
    expect(() => new Webhook(SIGNING_SECRET).verify(body, withNewest)).not.toThrow();
    expect(() => new Webhook(previous).verify(body, withNewest)).toThrow(WebhookVerificationError);
  });

  it('gets no signature where there is no secret', async () => {
    const receiver = await startWebhookReceiver();
    await worker.start({ receiver, signingSecrets: [] });
    await worker.publishEvent(domainEvents.generated());
    await eventually(() => expect(receiver.calls).toHaveLength(1));
    expect(receiver.calls[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it('is called once after the database has taken no writes, and not before', async () => {
    const receiver = await startWebhookReceiver();
    const { attempts } = DELIVERY_RETRIES;
    const outcomes: string[] = [];
    const { queue } = await worker.start({
      receiver,
      onOutcome: (queueName, outcome) => void (queueName === WEBHOOK_QUEUE && outcomes.push(outcome)),
    });
    await worker.query(`
      CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE 'read-only' USING ERRCODE = 'read_only_sql_transaction'; END $$;
      CREATE TRIGGER refuse BEFORE INSERT ON "ErasedUser" EXECUTE FUNCTION refuse()`);
    const id = await worker.publishEvent(domainEvents.generated());
    await eventually(() => expect(outcomes.length).toBeGreaterThan(attempts));
    expect(receiver.calls).toEqual([]);
    await worker.query('DROP FUNCTION refuse CASCADE');
    await worker.waitForWebhookDone(id);
    expect(receiver.calls).toHaveLength(1);
    expect(await listDeadLetters(queue)).toEqual([]);
  });

  it('is not called about confirmed suggestions', async () => {
    const receiver = await startWebhookReceiver();
    const { queue } = await worker.start({ receiver });
    await worker.publishEvent(domainEvents.confirmed());
    await worker.waitForTimeline(1);
    await worker.waitUntilIdle(queue);
    expect(receiver.calls).toEqual([]);
  });

  it('causes no jobs when it is not configured', async () => {
    const { queue } = await worker.start();
    await worker.publishEvent(domainEvents.generated());
    await worker.waitForTimeline(1);
    await worker.waitUntilIdle(queue);
    expect(await queue.countJobs(WEBHOOK_QUEUE)).toEqual({ waiting: 0, active: 0, delayed: 0, failed: 0 });
  });

  it('is called again under the same id until it accepts the event', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(500, 302, 200));
    await worker.start({ receiver });
    const id = await worker.publishEvent(domainEvents.generated());
    await worker.waitForWebhookDone(id);
    expect(receiver.calls.map((call) => call.headers['webhook-id'])).toEqual([id, id, id]);
  });

  it('is called once, even when the event is delivered again afterwards', async () => {
    const receiver = await startWebhookReceiver();
    const { queue } = await worker.start({ receiver });
    const event = domainEvents.generated();
    const id = await worker.publishEvent(event);
    await worker.waitForWebhookDone(id);
    await worker.waitUntilIdle(queue);
    await worker.redeliver(queue, id, event);
    await worker.waitUntilIdle(queue);
    expect(receiver.calls).toHaveLength(1);
  });

  it('is not called again after 410 Gone, and the event becomes a dead letter', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(410));
    const { queue } = await worker.start({ receiver });
    const id = await worker.publishEvent(domainEvents.generated());
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    expect(await listDeadLetters(queue)).toMatchObject([{ queueName: WEBHOOK_QUEUE, id, attemptsMade: 1 }]);
    await worker.waitForWebhookDone(id);
    expect(receiver.calls).toHaveLength(1);
  });

  it('is called again after Retry-After', async () => {
    const receiver = await startWebhookReceiver((response, callNumber) => {
      response.writeHead(callNumber === 1 ? 429 : 204, { 'retry-after': '1' }).end();
    });
    await worker.start({ receiver, retryDelayMs: () => 3_600_000 });
    await worker.publishEvent(domainEvents.generated());
    await eventually(() => expect(receiver.calls).toHaveLength(2));
  });

  it('delays nothing else when it never responds', async () => {
    const receiver = await startWebhookReceiver(() => undefined);
    await worker.start({ receiver, concurrency: 1, deliveryConcurrency: 1 });
    for (let count = 0; count < 3; count += 1) await worker.publishEvent(domainEvents.generated());
    await eventually(() => expect(receiver.calls.length).toBeGreaterThan(0));
    expect(await worker.waitForTimeline(3)).toHaveLength(3);
  });

  it('receives no more calls at once than the delivery concurrency, however many events there are', async () => {
    const open: ServerResponse[] = [];
    let mostOpen = 0;
    const receiver = await startWebhookReceiver((response) => {
      open.push(response);
      mostOpen = Math.max(mostOpen, open.length);
    });
    const { queue } = await worker.start({ receiver, concurrency: 6, deliveryConcurrency: 2 });
    for (let count = 0; count < 6; count += 1) await worker.publishEvent(domainEvents.generated());
    await eventually(async () =>
      expect(await queue.countJobs(WEBHOOK_QUEUE)).toMatchObject({ waiting: 4, active: 2 }),
    );
    // A delivery is active before its call arrives.
    await eventually(() => expect(open).toHaveLength(2));
    await eventually(() => {
      for (const response of open.splice(0)) response.end();
      expect(receiver.calls).toHaveLength(6);
    });
    expect(mostOpen).toBe(2);
  });

  it('is called again after a call timed out', async () => {
    const receiver = await startWebhookReceiver((response, callNumber) => {
      if (callNumber > 1) response.end();
    });
    await worker.start({ receiver, webhookTimeoutMs: 2_000 });
    const id = await worker.publishEvent(domainEvents.generated());
    await worker.waitForWebhookDone(id);
    expect(receiver.calls).toHaveLength(2);
  });

  it('gets a dead letter that is replayed', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(410, 200));
    const { queue } = await worker.start({ receiver });
    const id = await worker.publishEvent(domainEvents.generated());
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    await replayDeadLetters(queue, id);
    await eventually(() => expect(receiver.calls).toHaveLength(2));
    await eventually(async () => expect(await listDeadLetters(queue)).toEqual([]));
  });
});
