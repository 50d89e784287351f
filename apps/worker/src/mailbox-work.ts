import { createMailboxLock, createPlanExecutor, createRecordOutcomes } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import {
  createOutboxRelay,
  type JobOutcome,
  MAILBOX_CLEANUP_QUEUE,
  MAILBOX_SCAN_QUEUE,
  type QueueBackend,
  type QueueName,
} from '@mailsweep/event-bus';
import { createQuotaObserver } from '@mailsweep/mailbox-quota';
import { createMlClient } from '@mailsweep/ml-client';
import { createMailboxAccess, deriveKey } from '@mailsweep/provider-connection';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { startCleanups } from './cleanup/start-cleanups.ts';
import { type NotificationChannels, startNotifying } from './notifications/start-notifying.ts';
import type { ScanConfig } from './scan/scan-config.ts';
import { startScanning } from './scan/start-scanning.ts';
import { startUndoing } from './undo/start-undoing.ts';
import { startUnsubscribing } from './unsubscribe/start-unsubscribing.ts';
import { startWatching } from './watch/start-watching.ts';

/** Longest wait for the quota store, in milliseconds; after that this process counts by itself. */
const QUOTA_STORE_TIMEOUT_MS = 50;

/**
 * Starts all work on mailboxes: scans and watches at background priority; cleanups and undos of batches, for
 * which a user waits, before these. It also sends the notifications that come of it.
 */
export const startMailboxWork = (dependencies: {
  config: ScanConfig;
  redisUrl: string | undefined;
  channels: NotificationChannels;
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
  const openMailbox = (userId: string) => mailboxAccess.openMailbox(userId, { priority: 'interactive' });
  const planExecutor = createPlanExecutor({
    database,
    openMailbox,
    mailboxLock: createMailboxLock({ database, logger }),
    recordOutcomes: createRecordOutcomes({
      database,
      messageCipher: mailboxAccess.messageCipher,
      notificationCipher: mailboxAccess.tokenCipher,
      onEventRecorded: () => outboxRelay.wake(),
    }),
    logger,
  });
  lifecycle.onClose('plan executor', () => planExecutor.close());

  const mlClient = createMlClient({
    baseUrl: config.ML_BASE_URL,
    timeoutMs: config.ML_TIMEOUT_MS,
    tokenSecret: config.INTERNAL_JWT_SECRET ?? deriveKey(config.TOKEN_ENCRYPTION_KEY, 'internal-jwt'),
  });

  const shared = { database, queue, logger, lifecycle };
  const reading = { config, mailboxAccess, mlClient, registry };
  startNotifying({ ...shared, registry, cipher: mailboxAccess.tokenCipher, channels: dependencies.channels });
  startWatching({
    ...shared,
    ...reading,
    notificationCipher: mailboxAccess.tokenCipher,
    onEventRecorded: () => outboxRelay.wake(),
  });
  startScanning({
    ...shared,
    ...reading,
    onOutcome: (outcome) => onOutcome(MAILBOX_SCAN_QUEUE, outcome),
  });
  startUndoing({ ...shared, openMailbox, planExecutor, registry });
  startUnsubscribing({
    ...shared,
    cipher: mailboxAccess.messageCipher,
    allowPrivateAddresses: config.ALLOW_PRIVATE_ADDRESSES.has('unsubscribe'),
  });
  startCleanups({
    ...shared,
    cipher: mailboxAccess.messageCipher,
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
