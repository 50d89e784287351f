import { randomUUID } from 'node:crypto';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { expect, it } from 'vitest';
import { respondWithStatuses, startWebhookReceiver } from '../testing/webhook-receiver.ts';
import { useWorker } from '../testing/worker-harness.ts';

const ADA = '0197a3c4-5b6d-7e8f-9a0b-00000000000a';
const GRACE = '0197a3c4-5b6d-7e8f-9a0b-00000000000b';

describeOnEachQueue('an event of a user who was erased while it was in flight', (kind) => {
  const worker = useWorker(kind);

  it('is neither stored nor sent as a webhook, and delays no other events', async () => {
    const receiver = await startWebhookReceiver(respondWithStatuses(200));
    const { queue } = await worker.start({ receiver });
    await worker.markErased(ADA);

    await worker.redeliver(queue, randomUUID(), domainEvents.generated({ userId: ADA }));
    await worker.redeliver(queue, randomUUID(), domainEvents.confirmed({ userId: ADA }));
    const id = randomUUID();
    await worker.redeliver(queue, id, domainEvents.generated({ userId: GRACE }));

    await eventually(() => expect(receiver.calls).toHaveLength(1));
    await worker.waitUntilIdle(queue);
    expect((await worker.readTimeline()).map((row) => row.id)).toEqual([id]);
    expect(receiver.calls.map((call) => call.headers['webhook-id'])).toEqual([id]);
  });
});
