import { randomUUID } from 'node:crypto';
import { listDeadLetters } from '@mailsweep/event-bus';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { expect, it } from 'vitest';
import { respondWithStatuses, startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { useWorker } from '../testing/worker-harness.ts';
import { runDeadLetterCommand } from './dead-letter-command.ts';

describeOnEachQueue('the dead-letters command', (kind) => {
  const worker = useWorker(kind);

  it('lists dead letters with their reasons, and replays them', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(410, 200));
    const { queue } = await worker.start({ receiver });
    const { database } = worker;
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect(await runDeadLetterCommand(['list'], { queue, database, say })).toBe(0);
    expect(said.splice(0)).toEqual(['0 dead letters']);

    const id = await worker.publishEvent(domainEvents.generated({ subject: 'canary-subject' }));
    await eventually(async () => expect(await listDeadLetters(queue)).toHaveLength(1));
    await runDeadLetterCommand(['list'], { queue, database, say });
    expect(said[0]).toContain(
      `deliver-webhook  ${id}  domain.suggestions.generated  1 attempts  the workflow service responded with 410`,
    );
    expect(said.splice(0).join()).not.toContain('canary');

    expect(await runDeadLetterCommand(['replay', id], { queue, database, say })).toBe(0);
    expect(said.splice(0)).toEqual([`replayed  deliver-webhook  ${id}`, '1 replayed']);
    await eventually(() => expect(receiver.calls).toHaveLength(2));
  });

  it('has the undo of a batch of which workers died among them', async () => {
    const { queue } = await worker.start();
    const { database } = worker;
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    const id = randomUUID();
    await database.actionBatch.create({
      data: {
        ...{ id, userId: randomUUID(), source: 'inbox', action: 'archive', startedAt: new Date(), total: 1 },
        ...{ undoState: 'running', crashes: 5 },
      },
    });
    await runDeadLetterCommand(['list'], { queue, database, say });
    expect(said.splice(0)).toEqual([
      expect.stringContaining(`undo of a batch  ${id}  5 workers died of it`),
      '1 dead letters',
    ]);
    expect(await runDeadLetterCommand(['replay', id], { queue, database, say })).toBe(0);
    expect(said.splice(0)).toEqual([`replayed  undo of a batch  ${id}`, '1 replayed']);
    expect(await database.actionBatch.findUnique({ where: { id } })).toMatchObject({ crashes: 0 });

    expect(await runDeadLetterCommand(['give-up', id], { queue, database, say })).toBe(1);
    await database.actionBatch.update({ where: { id }, data: { crashes: 5 } });
    expect(await runDeadLetterCommand(['give-up', id], { queue, database, say })).toBe(0);
    expect(said.at(-1)).toBe(`given up  undo of a batch  ${id}`);
    expect(await database.actionBatch.findUnique({ where: { id } })).toMatchObject({
      undoState: 'done',
      undoFailed: 1,
    });
  });

  it('fails when no dead letter has the id, and prints its usage for unknown commands', async () => {
    const { queue } = await worker.start();
    const { database } = worker;
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    expect(await runDeadLetterCommand(['replay', 'unknown'], { queue, database, say })).toBe(1);
    expect(await runDeadLetterCommand([], { queue, database, say })).toBe(2);
    expect(await runDeadLetterCommand(['give-up'], { queue, database, say })).toBe(2);
    expect(await runDeadLetterCommand(['replay', 'one', 'other'], { queue, database, say })).toBe(2);
    expect(await runDeadLetterCommand(['list', 'one'], { queue, database, say })).toBe(2);
    expect(said.at(-1)).toMatch(/^Usage/);
  });
});
