import {
  createIntentExecutor,
  createMailboxLock,
  createRecordOutcomes,
  createRunCleanup,
  createRunUnsubscribe,
  createTakeUndoStep,
  createUndoActions,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { createOutboxRelay, type QueueBackend } from '@mailsweep/event-bus';
import { createQuotaObserver } from '@mailsweep/mailbox-quota';
import { addShadow, createMlClient, observeAdvice } from '@mailsweep/ml-client';
import { createMailboxAccess, deriveKey, warnOfWrongKey } from '@mailsweep/provider-connection';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { startDueWork } from './due-work/start-due-work.ts';
import { createNotificationSteps, type NotificationChannels } from './notifications/notification-steps.ts';
import type { ScanConfig } from './scan/scan-config.ts';
import { createScanObserver } from './scan/scan-metrics.ts';
import { createScanSteps } from './scan/scan-steps.ts';
import { createCallUnsubscribe } from './unsubscribe/call-unsubscribe.ts';
import { createWatchSteps } from './watch/watch-steps.ts';

/** Longest wait for the quota store, in milliseconds; after that this process counts by itself. */
const QUOTA_STORE_TIMEOUT_MS = 50;
/** Requests to unsubscribe in flight at once; most of the time each waits for the sender's server. */
const UNSUBSCRIBE_CONCURRENCY = 4;

/**
 * Starts all work on mailboxes: scans and watches at background priority; cleanups and undos of batches, for
 * which a user waits, before these. It also sends the notifications that come of it.
 */
export const startMailboxWork = (dependencies: {
  config: ScanConfig;
  databaseUrl: string;
  redisUrl: string | undefined;
  channels: NotificationChannels;
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}): void => {
  const { config, redisUrl, database, queue, logger, lifecycle, registry } = dependencies;
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
  const intentExecutor = createIntentExecutor({
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
  lifecycle.onClose('intent executor', () => intentExecutor.close());

  const tokenSecret = config.INTERNAL_JWT_SECRET ?? deriveKey(config.TOKEN_ENCRYPTION_KEY, 'internal-jwt');
  const mlClient = addShadow(
    observeAdvice(
      createMlClient({ baseUrl: config.ML_BASE_URL, timeoutMs: config.ML_TIMEOUT_MS, tokenSecret }),
      { registry, logger },
    ),
    { url: config.ML_SHADOW_URL, tokenSecret, registry, logger },
  );

  const shared = { database, logger, lifecycle, registry };
  const reading = { config, mailboxAccess, mlClient };
  const { messageCipher, tokenCipher } = mailboxAccess;
  void warnOfWrongKey({ database, tokenCipher, logger });
  const policy = { allowPrivate: config.ALLOW_PRIVATE_ADDRESSES.has('unsubscribe') };
  const observe = createScanObserver(registry, database);
  const changing = { database, openMailbox, intentExecutor, logger };
  startDueWork(
    { ...shared, databaseUrl: dependencies.databaseUrl },
    {
      scan: createScanSteps({ ...reading, database, logger, observe }),
      cleanup: { takeStep: createRunCleanup({ ...changing, cipher: messageCipher }) },
      undo: { takeStep: createTakeUndoStep({ database, undoActions: createUndoActions(changing) }) },
      watch: createWatchSteps({
        ...shared,
        ...reading,
        notificationCipher: tokenCipher,
        onEventRecorded: () => outboxRelay.wake(),
      }),
      unsubscribe: {
        takeStep: createRunUnsubscribe({
          database,
          cipher: messageCipher,
          call: createCallUnsubscribe({ policy }),
          logger,
        }),
        concurrency: UNSUBSCRIBE_CONCURRENCY,
      },
      ...createNotificationSteps({ ...shared, cipher: tokenCipher, channels: dependencies.channels }),
    },
  );
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
