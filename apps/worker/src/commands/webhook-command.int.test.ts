import { randomUUID } from 'node:crypto';
import { WebhookBodySchema } from '@mailsweep/contracts';
import { listDeadLetters, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { expect, it } from 'vitest';
import { respondWithStatuses, startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { useWorker } from '../testing/worker-harness.ts';
import { runWebhookCommand } from './webhook-command.ts';

describeOnEachQueue('the webhooks command', (kind) => {
  const worker = useWorker(kind);

  it('resends a delivered event under the same id and with the same body', async () => {
    const receiver = await startWebhookReceiver();
    const { queue, database } = await worker.start({ receiver });
    const id = await worker.publishEvent(domainEvents.generated());
    await worker.waitForWebhookDone(id);
    await worker.waitUntilIdle(queue);
    expect(await run(['resend', id], { queue, database })).toEqual({
      code: 0,
      said: [`${id}  will be sent`],
    });
    await eventually(() => expect(receiver.calls).toHaveLength(2));
    expect(receiver.calls.map((call) => call.headers['webhook-id'])).toEqual([id, id]);
    expect(receiver.calls[1]?.body).toBe(receiver.calls[0]?.body);
  });

  it('finds an event in the timeline once it has left the outbox', async () => {
    const receiver = await startWebhookReceiver();
    const { queue, database } = await worker.start({ receiver });
    const event = domainEvents.generated();
    const id = await worker.publishEvent(event);
    await worker.waitForTimeline(1);
    await worker.waitForWebhookDone(id);
    await worker.waitUntilIdle(queue);
    await database.outboxEvent.deleteMany();
    expect(await run(['resend', id], { queue, database })).toMatchObject({ code: 0 });
    await eventually(() => expect(receiver.calls).toHaveLength(2));
    expect(receiver.calls[1]?.headers['webhook-id']).toBe(id);
    expect(WebhookBodySchema.parse(JSON.parse(receiver.calls[1]?.body ?? ''))).toMatchObject({
      type: event.type,
      data: { userId: event.userId, summary: event.summary },
    });
  });

  it('sends a dead letter, and one that waits for its next attempt, at once', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(410, 500, 200));
    const { queue, database } = await worker.start({ receiver, retryDelayMs: () => 3_600_000 });
    const id = await worker.publishEvent(domainEvents.generated());
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    const line = expect.stringMatching(`${id}  domain.suggestions.generated  dead letter: .*410`);
    expect(await run(['list'], { queue, database })).toEqual({ code: 0, said: [line] });
    expect(await run(['resend', id], { queue, database })).toEqual({
      code: 0,
      said: [`${id}  was a dead letter and will be sent`],
    });
    await eventually(async () => expect((await queue.countJobs(WEBHOOK_QUEUE)).delayed).toBe(1));
    expect(await run(['resend', id], { queue, database })).toEqual({
      code: 0,
      said: [`${id}  was waiting for its next attempt and will be sent now`],
    });
    await eventually(() => expect(receiver.calls).toHaveLength(3));
    await worker.waitUntilIdle(queue);
    const { said } = await run(['list'], { queue, database });
    expect(said).toEqual([expect.stringMatching(`${id} .* done$`)]);
  });

  it('rejects an unknown event, an event without a webhook, and an unknown command', async () => {
    const { queue, database } = await worker.start();
    const confirmed = await worker.publishEvent(domainEvents.confirmed());
    for (const id of [randomUUID(), 'not-an-id']) {
      expect(await run(['resend', id], { queue, database })).toEqual({
        code: 1,
        said: [`there is no event ${id}`],
      });
    }
    expect(await run(['resend', confirmed], { queue, database })).toEqual({
      code: 1,
      said: ['domain.suggestions.confirmed has no webhook'],
    });
    for (const words of [
      [],
      ['list', confirmed],
      ['resend'],
      ['send', confirmed],
      ['resend', confirmed, confirmed],
    ]) {
      expect(await run(words, { queue, database })).toMatchObject({ code: 2 });
    }
  });
});

const run = async (
  words: string[],
  dependencies: Omit<Parameters<typeof runWebhookCommand>[1], 'say'>,
): Promise<{ code: number; said: string[] }> => {
  const said: string[] = [];
  const code = await runWebhookCommand(words, { ...dependencies, say: (line) => void said.push(line) });
  return { code, said };
};
