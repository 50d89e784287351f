import { createMailsweep, type Maintenance, type WorkerPorts } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { createOutboxRelay, type QueueBackend } from '@mailsweep/event-bus';
import { createMailboxAccess, deriveKey, warnOfWrongKey } from '@mailsweep/mail/provider-connection';
import { createQuotaObserver, meterQuota } from '@mailsweep/mail/quota';
import { addShadow, createMlClient, observeAdvice } from '@mailsweep/ml-client';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import type { MailboxWorkConfig } from './config.ts';
import { startDueWork } from './due-work/start-due-work.ts';
import { createWorkObserver } from './due-work/work-metrics.ts';
import { createCallUnsubscribe } from './unsubscribe/call-unsubscribe.ts';
import { startResumingWatches, startWatchListeners } from './watch/watch-listeners.ts';

/** Longest wait for the quota store, in milliseconds; after that this process counts by itself. */
const QUOTA_STORE_TIMEOUT_MS = 50;

/**
 * Starts all work on mailboxes: scans and watches at background priority; cleanups and undos of batches, for
 * which a user waits, before these. It also sends the notifications that come of it.
 */
export const startMailboxWork = (dependencies: {
  config: MailboxWorkConfig;
  databaseUrl: string;
  redisUrl: string | undefined;
  channels: Pick<WorkerPorts, 'sendPush' | 'sendWebhook'>;
  database: Database;
  maintenance: Maintenance;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}): void => {
  const { config, redisUrl, database, maintenance, queue, logger, lifecycle, registry } = dependencies;
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
  const tokenSecret = config.INTERNAL_JWT_SECRET ?? deriveKey(config.TOKEN_ENCRYPTION_KEY, 'internal-jwt');
  const mlClient = addShadow(
    observeAdvice(
      createMlClient({ baseUrl: config.ML_BASE_URL, timeoutMs: config.ML_TIMEOUT_MS, tokenSecret }),
      { registry, logger },
    ),
    { url: config.ML_SHADOW_URL, tokenSecret, registry, logger },
  );

  void warnOfWrongKey({ database, tokenCipher: mailboxAccess.tokenCipher, logger });
  const mailsweep = createMailsweep({
    database,
    queue,
    mailboxAccess,
    openMailbox: (userId) => mailboxAccess.openMailbox(userId, { priority: 'interactive' }),
    mlClient,
    publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
    onEventRecorded: () => outboxRelay.wake(),
    logger,
  });
  lifecycle.onClose('intent executor', mailsweep.close);

  const observe = createWorkObserver(registry, maintenance);
  const shared = { maintenance, logger, lifecycle };
  startResumingWatches(shared);
  startWatchListeners({ ...shared, mailboxAccess, registry });
  startDueWork({
    ...shared,
    databaseUrl: dependencies.databaseUrl,
    steps: mailsweep.openSteps({
      ...dependencies.channels,
      openMeteredMailbox(userId, signal, { isAwaited = false } = {}) {
        let units = 0;
        const shared = isAwaited ? mailboxAccess.surveyGovernor : mailboxAccess.governor;
        const governor = meterQuota(shared, (taken) => {
          units += taken;
        });
        const mailbox = mailboxAccess.openMailbox(userId, { governor, priority: 'background', signal });
        return { mailbox, unitsUsed: () => units };
      },
      openMessageStore: mailboxAccess.openMessageStore,
      callUnsubscribe: createCallUnsubscribe({
        policy: { allowPrivate: config.ALLOW_PRIVATE_ADDRESSES.has('unsubscribe') },
      }),
      observe,
    }),
    onGivenUp(kind) {
      if (kind === 'scan') observe.scan({ type: 'ended', outcome: 'timed_out' });
    },
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
