import { claimDueWatch, createRunDueRules, createRunWatch, resumeWatches } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { MlClient } from '@mailsweep/ml-client';
import type { createMailboxAccess, TokenCipher } from '@mailsweep/provider-connection';
import {
  createOutageLog,
  exponentialDelay,
  type Lifecycle,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import { startDueWork } from '../due-work.ts';
import { openMeteredMailbox } from '../metered-mailbox.ts';
import type { ScanConfig } from '../scan/scan-config.ts';
import { createWatchObserver } from './watch-metrics.ts';

/** How long a loop idles when no watch is due, and how often users who have signed in again are looked for. */
const IDLE_MS = 5_000;
const RESUME_INTERVAL_MS = 30_000;
/** Mailboxes checked for new email at once; most of the time each waits for Gmail. */
const CONCURRENCY = 8;
/** Fewest minutes between two checks of a mailbox, whatever its user chose. */
const MIN_MINUTES = 5;
const retryDelayMs = exponentialDelay({ firstMs: 1_000, longestMs: 30_000 });

/** Starts checking the mailboxes whose watches are due. Runs in flight at shutdown are left to other workers. */
export const startWatching = (dependencies: {
  config: ScanConfig;
  mailboxAccess: ReturnType<typeof createMailboxAccess>;
  mlClient: MlClient;
  notificationCipher: TokenCipher;
  database: Database;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
  onEventRecorded: () => void;
}): void => {
  const { config, mailboxAccess, database, logger, lifecycle, registry } = dependencies;
  const observe = createWatchObserver(registry, database);
  const stopping = new AbortController();
  const runWatch = createRunWatch({
    ...dependencies,
    openWatchMailbox: (userId, signal) => openMeteredMailbox(mailboxAccess, userId, signal),
    publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
    minMinutes: MIN_MINUTES,
    runDueRules: createRunDueRules({
      database,
      cipher: mailboxAccess.messageCipher,
      logger,
    }),
    stopping: stopping.signal,
  });

  const resume = startBackgroundLoop({
    async task() {
      const resumed = await resumeWatches(database);
      if (resumed > 0) logger.info({ count: resumed }, 'watches go on after a new sign-in');
      return false;
    },
    intervalMs: RESUME_INTERVAL_MS,
    retryDelayMs,
    outageLog: createOutageLog(logger, 'resuming watches'),
  });
  lifecycle.onClose('resuming watches', () => resume.close());
  startDueWork(dependencies, {
    name: 'watches',
    claim: () => claimDueWatch(database),
    run: async (watch) => observe(await runWatch(watch)),
    concurrency: CONCURRENCY,
    idleMs: IDLE_MS,
    stopping,
  });
};
