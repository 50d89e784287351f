import { createMaintenance, startOutgoingCallLog } from '@mailsweep/core';
import { type Database, openDatabase, pingDatabase } from '@mailsweep/database';
import {
  JOB_OUTCOMES,
  type JobOutcome,
  openQueueBackend,
  QUEUE_NAMES,
  type QueueBackend,
  type QueueName,
  registerOutboxMetrics,
  registerQueueMetrics,
} from '@mailsweep/event-bus';
import { answerDoctorQuestion, formatProcessName, toFingerprints } from '@mailsweep/mail/provider-connection';
import {
  createMetricsRegistry,
  createOperationsRouter,
  type Lifecycle,
  type Logger,
  listen,
  VERSION,
} from '@mailsweep/service-kit';
import { createSendWebhook } from '@mailsweep/service-kit/guarded-calls';
import express from 'express';
import { Counter, type Registry } from 'prom-client';
import type { Config } from './config.ts';
import { createMessageCacheSweeper, startRecordRetention } from './deletion/hourly-deletions.ts';
import { startConsumers } from './events/dispatch-events.ts';
import { startMailboxWork } from './mailbox-work.ts';
import { createSendPush } from './notifications/send-push.ts';
import { createQueueBoard } from './queue-board/queue-board.ts';

/** Time for jobs in flight to finish at shutdown, in milliseconds: longer than the longest webhook call. */
const DRAIN_TIMEOUT_MS = 18_000;
/** Connections to the queues when they are on Postgres: three of them only listen. */
const QUEUE_POOL_SIZE = 12;

/** Without keys it delivers events alone. */
const toProcessName = ({ mailboxWork }: Config): string =>
  formatProcessName({
    service: 'worker',
    version: VERSION,
    keys: mailboxWork
      ? toFingerprints({
          current: mailboxWork.TOKEN_ENCRYPTION_KEY,
          previous: mailboxWork.TOKEN_ENCRYPTION_KEY_PREVIOUS,
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
  const outgoingCalls = startOutgoingCallLog({ database, logger });
  lifecycle.onClose('outgoing calls', () => outgoingCalls.close());
  const queue = await openQueueBackend({ ...config, logger, poolSize: QUEUE_POOL_SIZE });
  lifecycle.onClose('queue', () => queue.close());

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
    answerDoctor: (question) =>
      config.mailboxWork &&
      answerDoctorQuestion(question, config.mailboxWork.TOKEN_ENCRYPTION_KEY, config.sharedVariables),
  });
  lifecycle.onClose('consumers', async () => {
    if (!(await consumers.close(DRAIN_TIMEOUT_MS))) logger.warn('left unfinished jobs to other workers');
  });
  const cacheSweeper = createMessageCacheSweeper({ database, logger });
  lifecycle.onClose('message cache sweeper', () => cacheSweeper.close());
  const maintenance = createMaintenance(database);
  const retention = startRecordRetention({ maintenance, logger });
  lifecycle.onClose('record retention', () => retention.close());
  if (config.webhook?.signingSecrets.length === 0) {
    logger.warn(
      'webhook calls are not signed: set WEBHOOK_SIGNING_SECRET so that the receiver can verify them',
    );
  }
  if (config.mailboxWork === undefined) {
    logger.warn(
      'this worker scans no mailboxes, executes no cleanups and undoes no batches: the variables for it are not set',
    );
  } else {
    startMailboxWork({
      config: config.mailboxWork,
      databaseUrl: config.databaseUrl,
      redisUrl: config.redisUrl,
      channels: {
        sendPush: config.push && createSendPush(config.push, () => new Date()),
        sendWebhook: config.notificationWebhook ? sendWebhook : undefined,
      },
      database,
      maintenance,
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

/**
 * Registers the worker's metrics: attempts by queue and outcome, jobs of each queue by state, and the backlog of
 * the outbox. Each subscriber has a queue of its own, so failures by queue are failures by subscriber.
 *
 * @returns counts an attempt
 */
const registerWorkerMetrics = (
  registry: Registry,
  sources: { queue: Pick<QueueBackend, 'countJobs'>; database: Database },
): ((queueName: QueueName, outcome: JobOutcome) => void) => {
  registerQueueMetrics(registry, sources.queue);
  registerOutboxMetrics(registry, sources.database);
  const attempts = new Counter({
    name: 'mailsweep_job_attempts_total',
    help: 'Attempts at jobs by queue and outcome: completed, retried or dead.',
    labelNames: ['queue', 'outcome'],
    registers: [registry],
  });
  for (const queue of QUEUE_NAMES) for (const outcome of JOB_OUTCOMES) attempts.inc({ queue, outcome }, 0);
  return (queueName, outcome) => attempts.inc({ queue: queueName, outcome });
};
