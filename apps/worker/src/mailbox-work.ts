import { createMailboxLock, createPlanExecutor, createRecordOutcomes } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import {
  BATCH_UNDO_QUEUE,
  createOutboxRelay,
  type JobOutcome,
  MAILBOX_CLEANUP_QUEUE,
  MAILBOX_SCAN_QUEUE,
  type QueueBackend,
  type QueueName,
} from '@mailsweep/event-bus';
import { createQuotaObserver } from '@mailsweep/mailbox-quota';
import { createMailboxAccess } from '@mailsweep/provider-connection';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { startCleanups } from './cleanup/start-cleanups.ts';
import type { ScanConfig } from './scan/scan-config.ts';
import { startScanning } from './scan/start-scanning.ts';
import { startUndoing } from './undo/start-undoing.ts';

/** Longest wait for the quota store, in milliseconds; after that this process counts by itself. */
const QUOTA_STORE_TIMEOUT_MS = 50;

/** Starts all work that opens mailboxes: scans, cleanups, and undos of batches. Mailboxes are opened at background priority. */
export const startMailboxWork = (dependencies: {
  config: ScanConfig;
  redisUrl: string | undefined;
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
  onOutcome: (queueName: QueueName, outcome: JobOutcome) => void;
}): void => {
  const { config, redisUrl, database, queue, logger, lifecycle, registry, onOutcome } = dependencies;
  const redis = redisUrl === undefined ? undefined : openQuotaStore(redisUrl, logger);
  if (redis !== undefined) lifecycle.onClose('quota store', () => redis.disconnect());
  const mailboxAccess = createMailboxAccess({
    config,
    database,
    redis,
    logger,
    observeQuota: createQuotaObserver(registry),
  });

  const outboxRelay = createOutboxRelay({ database, queue, logger });
  lifecycle.onClose('outbox relay', () => outboxRelay.close());
  const openMailbox = (userId: string) => mailboxAccess.openMailbox(userId, { priority: 'background' });
  const planExecutor = createPlanExecutor({
    database,
    openMailbox,
    mailboxLock: createMailboxLock({ database, logger }),
    recordOutcomes: createRecordOutcomes({ database, onEventRecorded: () => outboxRelay.wake() }),
    logger,
  });
  lifecycle.onClose('plan executor', () => planExecutor.close());

  const shared = { database, queue, logger, lifecycle };
  startScanning({
    ...shared,
    config,
    mailboxAccess,
    registry,
    onOutcome: (outcome) => onOutcome(MAILBOX_SCAN_QUEUE, outcome),
  });
  startUndoing({
    ...shared,
    openMailbox,
    planExecutor,
    onOutcome: (outcome) => onOutcome(BATCH_UNDO_QUEUE, outcome),
  });
  startCleanups({
    ...shared,
    openMailbox,
    planExecutor,
    onOutcome: (outcome) => onOutcome(MAILBOX_CLEANUP_QUEUE, outcome),
  });
};

const openQuotaStore = (url: string, logger: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: QUOTA_STORE_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', (error: Error) => logger.debug({ err: error }, 'the quota store is unavailable'));
  return redis;
};
