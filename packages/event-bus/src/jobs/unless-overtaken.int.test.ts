import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest';
import { WEBHOOK_QUEUE } from '../queue/queues.ts';
import { describeOnEachQueue, openTestQueue } from '../testing/index.ts';
import { unlessOvertaken } from './unless-overtaken.ts';

describeOnEachQueue('acting on a job unless others were faster', (kind) => {
  it('is done while the job is in its state, and not afterwards', async () => {
    const job = await addDelayedJob();
    expect(await unlessOvertaken(() => job.promote())).toBe(true);
    expect(await unlessOvertaken(() => job.promote())).toBe(false);
  });

  it('is not done once the job is gone', async () => {
    const job = await addDelayedJob();
    await job.remove();
    expect(await unlessOvertaken(() => job.promote())).toBe(false);
  });

  it.each([new Error('cut off'), Object.assign(new Error('cut off'), { code: 'ECONNRESET' })])(
    'fails when it can’t be told whether it was done (%#)',
    async (error) => {
      const job = await addDelayedJob();
      const cutOff = () => job.promote().then(() => Promise.reject(error));
      await expect(unlessOvertaken(cutOff)).rejects.toThrow('cut off');
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
