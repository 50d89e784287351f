import type { DomainEvent } from '@mailsweep/contracts';
import { createTestDatabase, type TestDatabase } from '@mailsweep/database/testing';
import {
  createOutboxRelay,
  DOMAIN_EVENTS_QUEUE,
  publish,
  QUEUE_NAMES,
  type QueueBackend,
} from '@mailsweep/event-bus';
import { eventually, openTestQueue, type QueueKind } from '@mailsweep/event-bus/testing';
import { createSendWebhook } from '@mailsweep/service-kit/guarded-calls';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { afterEach, beforeEach, expect, onTestFinished } from 'vitest';
import { type ConsumerDependencies, startConsumers } from '../events/dispatch-events.ts';
import type { WebhookReceiver } from './webhook-receiver.ts';

/** The secret with which the worker under test signs. */
export const SIGNING_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

const CLOSE_MS = 5_000;

interface WorkerUnderTest {
  /** The workflow service; absent: there is none. */
  receiver?: WebhookReceiver;
  webhookTimeoutMs?: number;
  /** {@link SIGNING_SECRET} alone, when left out. */
  signingSecrets?: readonly string[];
}

const toSendWebhook = ({ receiver, webhookTimeoutMs, signingSecrets = [SIGNING_SECRET] }: WorkerUnderTest) =>
  receiver &&
  createSendWebhook({
    url: receiver.url,
    policy: { allowPrivate: true },
    signingSecrets,
    ...(webhookTimeoutMs !== undefined && { timeoutMs: webhookTimeoutMs }),
  });

/** Gives each test of a suite a database, and a worker with the relay that feeds it when the test starts one. */
export const useWorker = (kind: QueueKind) => {
  let db: TestDatabase;
  let wakeRelay = (): void => undefined;
  beforeEach(async () => {
    db = await createTestDatabase();
  });
  afterEach(() => db.drop());

  return {
    get database() {
      return db.database;
    },
    /** Runs SQL as the superuser. */
    query: (sql: string) => db.query(sql),

    /** Failed attempts are retried at once, unless the test says otherwise. */
    async start(options: WorkerUnderTest & Partial<ConsumerDependencies> = {}) {
      const { logger, lines } = createRecordingLogger();
      const queue = await openTestQueue(kind, { databaseUrl: db.url, logger });
      const relay = createOutboxRelay({ database: db.database, queue, logger });
      const consumers = startConsumers({
        database: db.database,
        queue,
        logger,
        sendWebhook: toSendWebhook(options),
        concurrency: options.concurrency ?? 4,
        deliveryConcurrency: options.deliveryConcurrency ?? 4,
        onOutcome: options.onOutcome ?? (() => undefined),
        retryDelayMs: options.retryDelayMs ?? (() => 10),
      });
      wakeRelay = relay.wake;
      onTestFinished(async () => {
        await relay.close();
        await options.receiver?.close();
        await consumers.close(CLOSE_MS);
        await queue.close();
      });
      return { queue, lines, database: db.database };
    },

    /** Publishes as the API does. */
    async publishEvent(event: DomainEvent): Promise<string> {
      const id = await db.database.$transaction((tx) => publish(tx, event.type, event));
      wakeRelay();
      return id;
    },

    /** Delivers an event to the worker once more, as a queue may. */
    redeliver: (queue: QueueBackend, id: string, event: DomainEvent) =>
      queue.addJobs(DOMAIN_EVENTS_QUEUE, [{ id, name: event.type, data: event }]),

    /** Marks a user as erased while events of theirs are in flight. */
    markErased: (userId: string) => db.database.erasedUser.create({ data: { id: userId } }),

    readTimeline: () => db.database.notificationEvent.findMany(),

    waitForTimeline: (count: number) =>
      eventually(async () => {
        const rows = await db.database.notificationEvent.findMany();
        expect(rows).toHaveLength(count);
        return rows;
      }),

    waitForWebhookDone: (id: string) =>
      eventually(async () => {
        const row = await db.database.outboxEvent.findUniqueOrThrow({ where: { id } });
        expect(row.webhookState).toBe('done');
      }),

    /** Waits until no queue has anything left to do; dispatching comes first, so nothing slips through. */
    waitUntilIdle: (queue: QueueBackend) =>
      eventually(async () => {
        for (const name of QUEUE_NAMES) {
          expect(await queue.countJobs(name)).toMatchObject({ waiting: 0, active: 0, delayed: 0 });
        }
      }),
  };
};
