import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { QueueBackend } from '../queue/queue-backend.ts';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import { describeOnEachQueue, domainEvents, eventually, openTestQueue } from '../testing/index.ts';
import { markWebhookDone, markWebhooksPending, publish } from './outbox.repository.ts';
import { createOutboxRelay, createOutboxSweeper, sweepOutbox } from './outbox-relay.ts';

describe('a sweep of the outbox', () => {
  it('marks a published event that never arrived for publishing again', async () => {
    const id = await putPublished({ publishedSecondsAgo: 61 });
    expect(await sweepOutbox(db.database)).toEqual({ republished: 1, deleted: 0 });
    expect(await findUnpublished()).toEqual([id]);
  });

  it('gives an event time to arrive', async () => {
    await putPublished({ publishedSecondsAgo: 55 });
    expect(await sweepOutbox(db.database)).toEqual({ republished: 0, deleted: 0 });
  });

  it('leaves an event that has reached the timeline', async () => {
    await putStored(await putPublished({ publishedSecondsAgo: 120 }));
    expect(await sweepOutbox(db.database)).toEqual({ republished: 0, deleted: 0 });
  });

  it('publishes an event again whose webhook call was lost, until the webhook is done', async () => {
    const id = await putPublished({ publishedSecondsAgo: 120 });
    await putStored(id);
    expect([...(await markWebhooksPending(db.database, [id]))]).toEqual([id]);
    expect((await sweepOutbox(db.database)).republished).toBe(1);
    await markWebhookDone(db.database, id);
    await putBack(id, 120);
    expect((await sweepOutbox(db.database)).republished).toBe(0);
    expect([...(await markWebhooksPending(db.database, [id]))]).toEqual([]);
  });

  it('republishes an old event ever more rarely, so that a long retry costs little', async () => {
    await putPublished({ createdSecondsAgo: 4_000, publishedSecondsAgo: 900 });
    expect((await sweepOutbox(db.database)).republished).toBe(0);
    await putPublished({ createdSecondsAgo: 4_000, publishedSecondsAgo: 1_100 });
    expect((await sweepOutbox(db.database)).republished).toBe(1);
  });

  it('deletes delivered events after an hour, and no other', async () => {
    await putStored(await putPublished({ publishedSecondsAgo: 3_700 }));
    const pending = await putPublished({ publishedSecondsAgo: 3_700, createdSecondsAgo: 20_000 });
    await putStored(pending);
    await markWebhooksPending(db.database, [pending]);
    const fresh = await putPublished({ publishedSecondsAgo: 3_500 });
    await putStored(fresh);
    expect((await sweepOutbox(db.database)).deleted).toBe(1);
    const left = await db.query<{ id: string }>('SELECT id FROM "OutboxEvent"');
    expect(left.map((row) => row.id).toSorted()).toEqual([pending, fresh].toSorted());
  });

  it('gives up on a webhook that was pending for a week', async () => {
    const id = await putPublished({ publishedSecondsAgo: 100_000, createdSecondsAgo: 8 * 86_400 });
    await putStored(id);
    await markWebhooksPending(db.database, [id]);
    await db.query('UPDATE "OutboxEvent" SET "publishedAt" = now() - interval \'1 day\'');
    expect((await sweepOutbox(db.database, { overdueMs: 10 * 86_400_000, keepMs: 3_600_000 })).deleted).toBe(
      1,
    );
  });
});

describe('the sweeper', () => {
  it('wakes the relay and logs how many events it republishes', async () => {
    const { logger, lines } = createRecordingLogger();
    await putPublished({ publishedSecondsAgo: 61 });
    await putPublished({ publishedSecondsAgo: 61 });
    let wakes = 0;
    const sweeper = createOutboxSweeper({
      database: db.database,
      relay: {
        wake() {
          wakes += 1;
        },
      },
      logger,
    });
    onTestFinished(() => sweeper.close());
    await eventually(() => expect(wakes).toBe(1));
    expect(lines).toMatchObject([{ level: 30, count: 2 }]);
  });

  it('does not wake the relay when nothing is overdue', async () => {
    const { logger, lines } = createRecordingLogger();
    let wakes = 0;
    const relay = {
      wake() {
        wakes += 1;
      },
    };
    await createOutboxSweeper({ database: db.database, relay, logger }).close();
    expect(wakes).toBe(0);
    expect(lines).toEqual([]);
  });

  it('idles after a sweep that found nothing to do', async () => {
    let statements = 0;
    const counting = new Proxy(db.database, {
      get(target, name) {
        if (name === '$executeRaw') statements += 1;
        return Reflect.get(target, name, target);
      },
    });
    const { logger } = createRecordingLogger();
    const sweeper = createOutboxSweeper({ database: counting, relay: { wake: () => undefined }, logger });
    onTestFinished(() => sweeper.close());
    await eventually(() => expect(statements).toBe(2));
    // Time enough for a sweeper that does not idle.
    for (let round = 0; round < 20; round += 1) await db.query('SELECT 1');
    expect(statements).toBe(2);
  });

  it('deletes a large backlog in batches, without a pause in between', async () => {
    await db.query(
      `WITH event AS (
         INSERT INTO "OutboxEvent" (id, type, "userId", payload, "createdAt", "publishedAt")
         SELECT gen_random_uuid(), 'domain.suggestions.confirmed', gen_random_uuid(), '{}',
           now() - interval '2 hours', now() - interval '2 hours'
         FROM generate_series(1, 2001) RETURNING id, type, "userId"
       ) INSERT INTO "NotificationEvent" (id, type, "userId") SELECT id, type, "userId" FROM event`,
    );
    const { logger } = createRecordingLogger();
    const relay = { wake: () => undefined };
    const sweeper = createOutboxSweeper({ database: db.database, relay, logger });
    onTestFinished(() => sweeper.close());
    // Two pauses of 10 s would take longer.
    await eventually(async () => expect(await db.query('SELECT FROM "OutboxEvent"')).toEqual([]));
  });

  it('republishes a large backlog in batches of a thousand events a round', async () => {
    await db.query(
      `INSERT INTO "OutboxEvent" (id, type, "userId", payload, "createdAt", "publishedAt")
       SELECT gen_random_uuid(), 'domain.suggestions.confirmed', gen_random_uuid(), '{}',
         now() - interval '61 seconds', now() - interval '61 seconds'
       FROM generate_series(1, 1001)`,
    );
    expect((await sweepOutbox(db.database)).republished).toBe(1_000);
    expect((await sweepOutbox(db.database)).republished).toBe(1);
  });
});

describeOnEachQueue('R26: a queue that loses its data', (kind) => {
  it('loses no event: the sweeper republishes it', async () => {
    const queue = await openTestQueue(kind, { databaseUrl: db.url });
    onTestFinished(() => queue.close());
    const { logger } = createRecordingLogger();
    const relay = createOutboxRelay({ database: db.database, queue, logger });
    onTestFinished(() => relay.close());
    const id = await publishConfirmed();
    relay.wake();
    await eventually(async () => expect(await countWaiting(queue)).toBe(1));

    await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).obliterate({ force: true });
    expect(await countWaiting(queue)).toBe(0);
    await putBack(id, 61);
    const sweeper = createOutboxSweeper({ database: db.database, relay, logger });
    onTestFinished(() => sweeper.close());

    await eventually(async () => expect(await countWaiting(queue)).toBe(1));
    expect(await (await queue.openQueue(DOMAIN_EVENTS_QUEUE)).getJob(id)).toBeDefined();
  });
});

const countWaiting = async (queue: QueueBackend) => (await queue.countJobs(DOMAIN_EVENTS_QUEUE)).waiting;

const publishConfirmed = () => {
  const event = domainEvents.confirmed();
  return db.database.$transaction((tx) => publish(tx, event.type, event));
};

const putBack = (id: string, publishedSecondsAgo: number) =>
  db.query('UPDATE "OutboxEvent" SET "publishedAt" = now() - make_interval(secs => $2) WHERE id = $1', [
    id,
    publishedSecondsAgo,
  ]);

const putPublished = async (ages: { publishedSecondsAgo: number; createdSecondsAgo?: number }) => {
  const id = await publishConfirmed();
  await putBack(id, ages.publishedSecondsAgo);
  await db.query('UPDATE "OutboxEvent" SET "createdAt" = now() - make_interval(secs => $2) WHERE id = $1', [
    id,
    ages.createdSecondsAgo ?? ages.publishedSecondsAgo,
  ]);
  return id;
};

const putStored = (id: string) =>
  db.query(
    'INSERT INTO "NotificationEvent" (id, type, "userId") SELECT id, type, "userId" FROM "OutboxEvent" WHERE id = $1',
    [id],
  );

const findUnpublished = async () =>
  (await db.query<{ id: string }>('SELECT id FROM "OutboxEvent" WHERE "publishedAt" IS NULL')).map(
    (row) => row.id,
  );

let db: TestDatabase;
beforeEach(async () => {
  db = await createTestDatabase();
});
afterEach(() => db.drop());
