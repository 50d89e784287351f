import {
  createDeliverNotifications,
  type SendNotificationWebhook,
  type SendPush,
  takeDigest,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { TokenCipher } from '@mailsweep/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import type { WorkSteps } from '../due-work/start-due-work.ts';
import { createNotificationObserver } from './notification-metrics.ts';

/** Users whose notifications are sent at once; each waits for push services most of the time. */
const CONCURRENCY = 4;

/** How notifications leave this process; what is undefined, the operator has not set up. */
export interface NotificationChannels {
  sendPush: SendPush | undefined;
  sendWebhook: SendNotificationWebhook | undefined;
}

/** The steps of notifications and of digests. What is not sent at shutdown is left to other workers. */
export const createNotificationSteps = (dependencies: {
  database: Database;
  cipher: TokenCipher;
  channels: NotificationChannels;
  logger: Logger;
  registry: Registry;
}): Record<'notification' | 'digest', WorkSteps> => {
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
  return {
    notification: {
      async takeStep(work) {
        observe(await deliver(work));
        return { kind: 'over' };
      },
      concurrency: CONCURRENCY,
      stopping,
    },
    digest: {
      async takeStep(work) {
        await takeDigest({ database, cipher }, work, Date.now());
        return { kind: 'over' };
      },
      concurrency: 1,
    },
  };
};
