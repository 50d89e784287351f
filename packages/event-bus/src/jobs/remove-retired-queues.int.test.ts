import { createTestDatabase } from '@mailsweep/database/testing';
import { expect, it, onTestFinished } from 'vitest';
import { describeOnEachQueue, openTestQueue } from '../testing/queue-kinds.ts';
import { removeRetiredQueues } from './remove-jobs.ts';

describeOnEachQueue('queues of earlier versions', (kind) => {
  it('are removed with their jobs', async () => {
    const db = await createTestDatabase();
    onTestFinished(() => db.drop());
    const queue = await openTestQueue(kind, { databaseUrl: db.url });
    onTestFinished(() => queue.close());
    const retired = await queue.openQueue('batch-undo');
    await retired.add('undo-records', { userId: 'ada' }, { jobId: 'one' });
    await removeRetiredQueues(queue);
    expect(await retired.getJob('one')).toBeUndefined();
    // Nor does it matter that there is none.
    await removeRetiredQueues(queue);
  });
});
