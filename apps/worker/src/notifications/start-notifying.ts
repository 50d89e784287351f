import {
  claimDueNotifications,
  createDeliverNotifications,
  type SendNotificationWebhook,
  type SendPush,
  takeDueDigest,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { TokenCipher } from '@mailsweep/provider-connection';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import { startDueWork } from '../due-work.ts';
import { createNotificationObserver } from './notification-metrics.ts';

const SENDING_IDLE_MS = 1_000;
const DIGEST_IDLE_MS = 15_000;
/** Users whose notifications are sent at once; each waits for push services most of the time. */
const CONCURRENCY = 4;

/** How notifications leave this process; what is undefined, the operator has not set up. */
export interface NotificationChannels {
  sendPush: SendPush | undefined;
  sendWebhook: SendNotificationWebhook | undefined;
}

/** Starts recording digests that are due, and sending notifications. What is not sent at shutdown is left to other workers. */
export const startNotifying = (dependencies: {
  database: Database;
  cipher: TokenCipher;
  channels: NotificationChannels;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
}): void => {
  const { database, cipher, channels, logger, registry } = dependencies;
  const observe = createNotificationObserver(registry, database);
  const stopping = new AbortController();
  const deliver = createDeliverNotifications({
    database,
    cipher,
    ...channels,
    logger,
    stopping: stopping.signal,
  });

  startDueWork(dependencies, {
    name: 'digests',
    claim: () => takeDueDigest({ database, cipher }, Date.now()),
    run: async () => undefined,
    concurrency: 1,
    idleMs: DIGEST_IDLE_MS,
  });
  startDueWork(dependencies, {
    name: 'sending notifications',
    async claim() {
      const claimed = await claimDueNotifications(database, new Date());
      return claimed.length > 0 ? claimed : null;
    },
    run: async (claimed) => observe(await deliver(claimed)),
    concurrency: CONCURRENCY,
    idleMs: SENDING_IDLE_MS,
    stopping,
  });
};
