import {
  claimDueNotifications,
  createDeliverNotifications,
  type SendNotificationWebhook,
  type SendPush,
  takeDueDigest,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { TokenCipher } from '@mailsweep/provider-connection';
import {
  createOutageLog,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import { createNotificationObserver } from './notification-metrics.ts';

/** How long a loop idles when nothing is due, in milliseconds. */
const SENDING_IDLE_MS = 1_000;
const DIGEST_IDLE_MS = 15_000;
/** Users whose notifications are sent at once; each waits for push services most of the time. */
const CONCURRENCY = 4;
const retryDelayMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });

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
  const { database, cipher, channels, logger, lifecycle, registry } = dependencies;
  const observe = createNotificationObserver(registry, database);
  const stopping = new AbortController();
  const deliver = createDeliverNotifications({
    database,
    cipher,
    ...channels,
    logger,
    stopping: stopping.signal,
  });

  const outageLog = createOutageLog(logger, 'sending notifications');
  const sendDue = async (): Promise<boolean> => {
    const claimed = await claimDueNotifications(database, new Date());
    if (claimed.length === 0) return false;
    observe(await deliver(claimed));
    return true;
  };
  const recordDigest = async (): Promise<boolean> =>
    (await takeDueDigest({ database, cipher }, Date.now())) !== null;
  const loops = [
    startBackgroundLoop({ task: recordDigest, intervalMs: DIGEST_IDLE_MS, retryDelayMs, outageLog }),
    ...Array.from({ length: CONCURRENCY }, () =>
      startBackgroundLoop({ task: sendDue, intervalMs: SENDING_IDLE_MS, retryDelayMs, outageLog }),
    ),
  ];
  lifecycle.onClose('notifications', async () => {
    stopping.abort(new Error('the worker is stopping'));
    await Promise.all(loops.map((loop) => loop.close()));
  });
};
