import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { WEBHOOK_QUEUE } from '../queue/queues.ts';
import { describeOnEachQueue, openTestQueue } from '../testing/index.ts';
import { unlessStateChanged } from './dead-letters.ts';

describeOnEachQueue('acting on a job unless its state changed', (kind) => {
  it('is done while the job is in its state, and not afterwards', async () => {
    const job = await addDelayedJob();
    expect(await unlessStateChanged(() => job.promote())).toBe(true);
    expect(await unlessStateChanged(() => job.promote())).toBe(false);
  });

  it('is not done once the job was removed', async () => {
    const job = await addDelayedJob();
    await job.remove();
    expect(await unlessStateChanged(() => job.promote())).toBe(false);
  });

  it.each([new Error('cut off'), Object.assign(new Error('cut off'), { code: 'ECONNRESET' })])(
    'rejects when the outcome is unknown (%#)',
    async (error) => {
      const job = await addDelayedJob();
      const cutOff = () => job.promote().then(() => Promise.reject(error));
      await expect(unlessStateChanged(cutOff)).rejects.toThrow('cut off');
    },
  );

  let db: TestDatabase;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  const addDelayedJob = async () => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url });
    onTestFinished(() => queue.close());
    return (await queue.openQueue(WEBHOOK_QUEUE)).add('test', {}, { jobId: 'event-1', delay: 3_600_000 });
  };
});
