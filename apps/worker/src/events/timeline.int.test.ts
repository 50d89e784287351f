import { DOMAIN_EVENTS_QUEUE, listDeadLetters } from '@mailsweep/event-bus';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { expect, it } from 'vitest';
import { useWorker } from '../testing/worker-harness.ts';

describeOnEachQueue('an event at the worker', (kind) => {
  const worker = useWorker(kind);

  it('is stored in the timeline: type, userId and summary, nothing more', async () => {
    await worker.start();
    const event = domainEvents.generated();
    const id = await worker.publishEvent(event);
    const [row] = await worker.waitForTimeline(1);
    expect(row).toEqual({
      id,
      type: event.type,
      userId: event.userId,
      summary: event.summary,
      createdAt: expect.any(Date),
      updatedAt: expect.any(Date),
    });
  });

  it('of confirmed suggestions is stored with its total and action, without the email ids', async () => {
    await worker.start();
    await worker.publishEvent(domainEvents.confirmed());
    const [row] = await worker.waitForTimeline(1);
    expect(row).toMatchObject({
      type: 'domain.suggestions.confirmed',
      summary: { totalConfirmed: 2, action: 'accept' },
    });
    expect(row?.summary).not.toHaveProperty('emailIds');
  });

  it('is stored once, however often it is delivered', async () => {
    const { queue } = await worker.start();
    const event = domainEvents.confirmed();
    const id = await worker.publishEvent(event);
    const [first] = await worker.waitForTimeline(1);
    for (let round = 0; round < 3; round += 1) {
      await worker.waitUntilIdle(queue);
      await worker.redeliver(queue, id, event);
    }
    await worker.waitUntilIdle(queue);
    expect(await worker.readTimeline()).toEqual([first]);
  });

  it('of generated suggestions is logged at debug level, without content of emails', async () => {
    const { queue, lines } = await worker.start();
    const event = domainEvents.generated({ subject: 'canary-subject' });
    const id = await worker.publishEvent(event);
    await worker.waitForTimeline(1);
    await worker.waitUntilIdle(queue);
    expect(lines.find((line) => line.msg === 'domain event')).toMatchObject({
      level: 20,
      eventId: id,
      type: event.type,
      userId: event.userId,
      totalSuggestions: 1,
    });
    expect(JSON.stringify(lines)).not.toContain('canary');
  });

  it('of confirmed suggestions has the timeline as its only subscriber', async () => {
    const { queue, lines } = await worker.start();
    await worker.publishEvent(domainEvents.confirmed());
    await worker.waitForTimeline(1);
    await worker.waitUntilIdle(queue);
    expect(lines.find((line) => line.msg === 'domain event')).toBeUndefined();
  });

  it('that is invalid becomes a dead letter at once, while the others go on', async () => {
    const { queue, lines } = await worker.start();
    const garbage = { type: 'domain.suggestions.generated', userId: 'canary-user' };
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, [
      { id: '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5aff', name: 'garbage', data: garbage },
      { id: 'no-uuid', name: 'garbage', data: domainEvents.confirmed() },
    ]);
    await worker.publishEvent(domainEvents.confirmed());
    await worker.waitForTimeline(1);
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(2));
    expect(await listDeadLetters(queue)).toMatchObject([{ attemptsMade: 1 }, { attemptsMade: 1 }]);
    expect(JSON.stringify([lines, await listDeadLetters(queue)])).not.toContain('canary');
  });

  it('with an invalid user id becomes a dead letter of the timeline alone', async () => {
    const { queue } = await worker.start();
    const id = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5aff';
    await worker.redeliver(queue, id, domainEvents.generated({ userId: 'nobody' }));
    await eventually(async () =>
      expect(await listDeadLetters(queue)).toMatchObject([{ queueName: 'deliver-persist', id }]),
    );
  });

  it('that cannot be stored delays none of those that came with it', async () => {
    await worker.query(
      `ALTER TABLE "NotificationEvent" ADD CONSTRAINT poison CHECK ("userId" <> '${POISONED}'::uuid)`,
    );
    const { queue } = await worker.start({ concurrency: 50 });
    const events = Array.from({ length: 20 }, (_, index) => ({
      id: crypto.randomUUID(),
      event: index === 7 ? domainEvents.confirmed({ userId: POISONED }) : domainEvents.confirmed(),
    }));
    await queue.addJobs(
      DOMAIN_EVENTS_QUEUE,
      events.map(({ id, event }) => ({ id, name: event.type, data: event })),
    );
    const stored = await worker.waitForTimeline(19);
    expect(stored.map(({ id }) => id).toSorted()).toEqual(
      events
        .filter(({ event }) => event.userId !== POISONED)
        .map(({ id }) => id)
        .toSorted(),
    );

    await worker.query('ALTER TABLE "NotificationEvent" DROP CONSTRAINT poison');
    await worker.waitForTimeline(20);
  });
});

const POISONED = '0197a3c4-5b6d-7e8f-9a0b-1c2d3e4f5a00';
