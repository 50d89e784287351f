import { openDatabase, pingDatabase } from '@mailsweep/database';
import { openQueueBackend, removeRetiredQueues } from '@mailsweep/event-bus';
import { formatProcessName, toFingerprints } from '@mailsweep/provider-connection';
import {
  createMetricsRegistry,
  createOperationsRouter,
  type Lifecycle,
  type Logger,
  listen,
  VERSION,
} from '@mailsweep/service-kit';
import express from 'express';
import type { Config } from './config.ts';
import { createMessageCacheSweeper } from './deletion/message-cache-sweeper.ts';
import { startRecordRetention } from './deletion/record-retention.ts';
import { startConsumers } from './events/consumers.ts';
import { createSendWebhook } from './events/send-webhook.ts';
import { startMailboxWork } from './mailbox-work.ts';
import { registerWorkerMetrics } from './metrics.ts';
import { createSendPush } from './notifications/send-push.ts';
import { createQueueBoard } from './queue-board/queue-board.ts';

/** Time for jobs in flight to finish at shutdown, in milliseconds: longer than the longest webhook call. */
const DRAIN_TIMEOUT_MS = 18_000;
/** Connections to the queues when they are on Postgres: three of them only listen. */
const QUEUE_POOL_SIZE = 12;

/** Without keys it delivers events alone. */
const toProcessName = ({ scan }: Config): string =>
  formatProcessName({
    service: 'worker',
    version: VERSION,
    keys: scan
      ? toFingerprints({
          current: scan.TOKEN_ENCRYPTION_KEY,
          previous: scan.TOKEN_ENCRYPTION_KEY_PREVIOUS,
        })
      : [],
  });

/**
 * Builds and starts the worker. It also starts while the database or the queue is unavailable, and is ready once both
 * are available.
 *
 * @returns the port of the operators' routes
 */
export const startWorkerService = async (
  config: Config,
  dependencies: { logger: Logger; lifecycle: Lifecycle },
): Promise<{ port: number }> => {
  const { logger, lifecycle } = dependencies;
  const database = openDatabase({
    databaseUrl: config.databaseUrl,
    applicationName: toProcessName(config),
  });
  lifecycle.onClose('database', () => database.$disconnect());
  const queue = await openQueueBackend({ ...config, logger, poolSize: QUEUE_POOL_SIZE });
  lifecycle.onClose('queue', () => queue.close());

  removeRetiredQueues(queue).catch((error: unknown) =>
    logger.warn({ err: error }, 'queues of earlier versions could not be removed'),
  );

  const registry = createMetricsRegistry('worker');
  const onOutcome = registerWorkerMetrics(registry, { queue, database });
  let isStopping = false;
  const operations = createOperationsRouter({
    registry,
    checks: {
      lifecycle: async () => !isStopping,
      database: () => pingDatabase(database).then(() => true),
      queue: () => queue.ping().then(() => true),
    },
  });
  const app = express().disable('x-powered-by').use(operations);
  if (config.operationsPassword !== undefined)
    app.use(createQueueBoard({ queue, password: config.operationsPassword, logger }));
  const server = await listen({
    app,
    port: config.port,
    host: config.host,
  });
  lifecycle.onClose('http server', () => server.close());

  const sendWebhook = config.webhook && createSendWebhook(config.webhook);
  const consumers = startConsumers({
    database,
    queue,
    logger,
    sendWebhook,
    onOutcome,
  });
  lifecycle.onClose('consumers', async () => {
    if (!(await consumers.close(DRAIN_TIMEOUT_MS))) logger.warn('left unfinished jobs to other workers');
  });
  const cacheSweeper = createMessageCacheSweeper({ database, logger });
  lifecycle.onClose('message cache sweeper', () => cacheSweeper.close());
  const retention = startRecordRetention({
    database,
    logger,
  });
  lifecycle.onClose('record retention', () => retention.close());
  if (config.webhook?.signingSecrets.length === 0) {
    logger.warn(
      'webhook calls are not signed: set WEBHOOK_SIGNING_SECRET so that the receiver can verify them',
    );
  }
  if (config.scan === undefined) {
    logger.warn(
      'this worker scans no mailboxes, executes no cleanups and undoes no batches: the variables for it are not set',
    );
  } else {
    startMailboxWork({
      config: config.scan,
      databaseUrl: config.databaseUrl,
      redisUrl: config.redisUrl,
      channels: {
        sendPush: config.push && createSendPush(config.push, () => new Date()),
        sendWebhook: config.notificationWebhook ? sendWebhook : undefined,
      },
      database,
      queue,
      logger,
      lifecycle,
      registry,
    });
  }
  lifecycle.onClose('readiness', () => {
    isStopping = true;
  });
  logger.info({ port: server.port, queue: queue.kind, webhook: config.webhook !== undefined }, 'listening');
  return { port: server.port };
};
