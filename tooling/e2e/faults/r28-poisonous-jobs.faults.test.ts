import { randomUUID } from 'node:crypto';
import { beforeAll, expect, it } from 'vitest';
import { byForm, eventually, machineSlackMs, openRow } from './harness/campaign.ts';
import {
  describeOnEachQueue,
  explainFailure,
  type FaultStack,
  startFaultStack,
} from './harness/fault-stack.ts';
import { runWorkerCommand } from './harness/run-worker-command.ts';

const DOMAIN_EVENTS_QUEUE = 'domain-events';
const WEBHOOK_QUEUE = 'deliver-webhook';
/** Worker crashes after which a job is given up. */
const CRASHES = 3;
const DEAD_WITHIN_MS = 1_000;
/** Longest time until a dead worker's job is looked at again, in milliseconds. */
const REDELIVERED_WITHIN_MS = 15_000;
const BYSTANDERS = byForm(10, 100);

const row = openRow('R28');

describeOnEachQueue('R28 a job', 'redis', (queue) => {
  it('that can’t be parsed is a dead letter within a second, listed and replayed by the command, and delays no other job', async () => {
    explainFailure(stack);
    const id = randomUUID();
    const jobs = await stack.queue.openQueue(DOMAIN_EVENTS_QUEUE);
    const ids = await stack.publishEvents(BYSTANDERS);
    await stack.queue.addJobs(DOMAIN_EVENTS_QUEUE, [
      { id, name: 'domain.suggestions.generated', data: { type: '?' } },
    ]);
    row.ran();
    await eventually(
      async () => expect(await (await jobs.getJob(id))?.isFailed()).toBe(true),
      DEAD_WITHIN_MS + machineSlackMs(),
    );
    await eventually(async () => expect(await stack.judgeEvents(ids)).toEqual({ lost: 0, doubled: 0 }));

    expect(await runDeadLetters('list')).toContain(id);
    expect(await runDeadLetters('replay', id)).toContain('1 replayed');
    // It is no better than before.
    await eventually(async () => expect(await (await jobs.getJob(id))?.isFailed()).toBe(true));
    await jobs.remove(id);
  });

  it('that crashed three workers is a dead letter, and completes once it is replayed', async () => {
    explainFailure(stack);
    const isPoison = new Set<string>();
    // The first event kills each worker that calls about it; all others are taken.
    stack.webhook.behave((response, callNumber, id) => {
      if (callNumber === 1) isPoison.add(id);
      if (!isPoison.has(id)) response.writeHead(204).end();
    });
    const poison = (await stack.publishEvents(1))[0] ?? '';
    for (let crash = 1; crash <= CRASHES; crash += 1) {
      await eventually(() => expect(callsOf(poison)).toBe(crash));
      await stack.worker.kill();
      row.ran();
      const ids = await stack.publishEvents(BYSTANDERS);
      await stack.worker.start();
      await eventually(async () => expect(await stack.judgeEvents(ids)).toEqual({ lost: 0, doubled: 0 }));
    }
    const jobs = await stack.queue.openQueue(WEBHOOK_QUEUE);
    await eventually(
      async () => expect(await (await jobs.getJob(poison))?.isFailed()).toBe(true),
      REDELIVERED_WITHIN_MS + DEAD_WITHIN_MS,
    );
    expect(callsOf(poison)).toBe(CRASHES);
    stack.webhook.behave();
    expect(await runDeadLetters('replay', poison)).toContain('1 replayed');
    await eventually(() => expect(callsOf(poison)).toBe(CRASHES + 1));
    await stack.waitUntilFinished();
  });

  const callsOf = (id: string) => stack.webhook.calls.filter((call) => call.id === id).length;
  const runDeadLetters = (...words: string[]) => runWorkerCommand(stack, 'dead-letters', ...words);

  let stack: FaultStack;
  beforeAll(async () => {
    stack = await startFaultStack({ queue });
  });
});
