import { randomUUID } from 'node:crypto';
import type { TestDatabase } from '@mailsweep/database/testing';
import { publish, type QueueBackend, type QueueName, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { domainEvents } from '@mailsweep/event-bus/testing';
import { expect } from 'vitest';
import { eventually } from './campaign.ts';

/** Events published at a time. */
const BATCH = 200;
/** A loaded machine keeps the harness waiting, too; in milliseconds. */
const LONG_WAIT = { maxWait: 60_000, timeout: 60_000 };

const FINISHED = { events: 0, intents: 0, jobs: 0, deadLetters: 0 };

/** Puts events in, and counts what came of them. */
export const openLedger = (dependencies: {
  database: TestDatabase;
  queue: QueueBackend;
  queueNames: readonly QueueName[];
}) => {
  const { database, queue, queueNames } = dependencies;

  /** What the outbox, the queues and unfinished mailbox changes still hold. */
  const countUnfinished = async () => {
    const [open] = await database.query<{ events: number; intents: number }>(
      `SELECT (SELECT count(*)::int FROM "OutboxEvent" AS event WHERE "publishedAt" IS NULL
          OR NOT EXISTS (SELECT FROM "NotificationEvent" AS stored WHERE stored."id" = event."id")) AS events,
        (SELECT count(*)::int FROM "ActionIntent") AS intents`,
    );
    let jobs = 0;
    let deadLetters = 0;
    for (const name of queueNames) {
      const { waiting, active, delayed, failed } = await queue.countJobs(name);
      jobs += waiting + active + delayed;
      deadLetters += failed;
    }
    return { ...open, jobs, deadLetters };
  };

  const DUE_WORK = ['MailboxWatch', 'MailboxScan', 'Cleanup', 'ActionBatch', 'Notification'] as const;
  /** Makes due work of a kind due now. */
  const hurry = (table: (typeof DUE_WORK)[number]) =>
    database.query(`UPDATE "${table}" SET "dueAt" = now() WHERE "dueAt" > now() AND "leaseId" IS NULL`);

  return {
    countUnfinished,
    hurry,
    /** Has everything done at once that waits for its moment, until nothing is left to do. */
    async hurryUntilFinished(withinMs: number) {
      await eventually(async () => {
        for (const table of DUE_WORK) await hurry(table);
        await database.query(`UPDATE "OutboxEvent" SET "publishedAt" = "publishedAt" - interval '1 day'
          WHERE "webhookState" = 'pending'`);
        for (const job of await (await queue.openQueue(WEBHOOK_QUEUE)).getDelayed()) await job.promote();
        const active = await database.query(
          `SELECT 'a scan' FROM "MailboxScan" WHERE "state" = ANY($1)
          UNION ALL SELECT 'a cleanup' FROM "Cleanup" WHERE "state" = ANY($1)
          UNION ALL SELECT 'an undo' FROM "ActionBatch" WHERE "undoState" = 'running'
          UNION ALL SELECT 'a notification' FROM "Notification" WHERE "state" = 'pending'
          UNION ALL SELECT 'a webhook' FROM "OutboxEvent" WHERE "webhookState" = 'pending'`,
          [['queued', 'running', 'waiting']],
        );
        expect(active).toEqual([]);
        expect(await countUnfinished()).toEqual(FINISHED);
      }, withinMs);
    },
    /** Publishes events as the API does, within a transaction; returns their ids. */
    async publishEvents(count: number, userId: string = randomUUID()): Promise<string[]> {
      const ids: string[] = [];
      while (ids.length < count) {
        const size = Math.min(BATCH, count - ids.length);
        await database.database.$transaction(async (tx) => {
          for (let index = 0; index < size; index += 1) {
            const event = domainEvents.generated({ userId });
            ids.push(await publish(tx, event.type, event));
          }
        }, LONG_WAIT);
      }
      return ids;
    },
    /** Waits until every event is in the timeline, no mailbox change is open, and no queue of events holds a job. */
    waitUntilFinished: (withinMs = 60_000) =>
      eventually(async () => expect(await countUnfinished()).toEqual(FINISHED), withinMs),
    /** Compares published events with the timeline of the user they are of. */
    async judgeEvents(ids: readonly string[]): Promise<{ lost: number; doubled: number }> {
      const stored = await database.query<{ id: string }>(
        'SELECT "id" FROM "NotificationEvent" WHERE "id" = ANY($1) OR "userId" IN (SELECT "userId" FROM "NotificationEvent" WHERE "id" = ANY($1))',
        [ids],
      );
      const found = new Set(stored.map(({ id }) => id));
      return {
        lost: ids.filter((id) => !found.has(id)).length,
        doubled: stored.length - ids.filter((id) => found.has(id)).length,
      };
    },
    /**
     * Compares what a user confirmed, email by email, with the history and the timeline.
     *
     * @param emailIds - every email that a response said was processed, once
     */
    async judgeConfirmed(userId: string, emailIds: readonly string[]) {
      const rows = await database.query<{ emailId: string; count: number }>(
        `SELECT "emailId", count(*)::int FROM "ActionHistory"
         WHERE "userId" = $1 AND "details"->>'source' = 'suggestions' GROUP BY 1`,
        [userId],
      );
      const [told] = await database.query<{ total: number }>(
        `SELECT coalesce(sum(("summary"->>'totalConfirmed')::int), 0)::int AS total FROM "NotificationEvent"
         WHERE "userId" = $1 AND "type" = 'domain.suggestions.confirmed'`,
        [userId],
      );
      const recorded = new Map(rows.map((row) => [row.emailId, row.count]));
      const inHistory = rows.reduce((sum, { count }) => sum + count, 0);
      const inTimeline = told?.total ?? 0;
      return {
        lostRecords: emailIds.filter((id) => !recorded.has(id)).length,
        doubledRecords: inHistory - recorded.size,
        /** Emails that the history has and no event has, and the other way round. */
        lostInTimeline: Math.max(0, recorded.size - inTimeline),
        doubledInTimeline: Math.max(0, inTimeline - recorded.size),
      };
    },
  };
};
