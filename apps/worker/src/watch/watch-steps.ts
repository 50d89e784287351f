import { createRunDueRules, createRunWatch, findLeasedWatch, resumeWatches } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import type { MlClient } from '@mailsweep/ml-client';
import type { createMailboxAccess, TokenCipher } from '@mailsweep/provider-connection';
import { createOutageLog, type Lifecycle, type Logger, startBackgroundLoop } from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import type { WorkSteps } from '../due-work/start-due-work.ts';
import { openMeteredMailbox } from '../metered-mailbox.ts';
import type { ScanConfig } from '../scan/scan-config.ts';
import { startWatchListeners } from './watch-listeners.ts';
import { createWatchObserver } from './watch-metrics.ts';

/** How often users who have signed in again are looked for, in milliseconds. */
const RESUME_INTERVAL_MS = 30_000;
/** Fewest minutes between two checks of a mailbox, whatever its user chose. */
const MIN_MINUTES = 5;

/** The steps of watches. Runs in flight at shutdown are left to other workers; watches go on after a new sign-in. */
export const createWatchSteps = (dependencies: {
  config: ScanConfig;
  mailboxAccess: ReturnType<typeof createMailboxAccess>;
  mlClient: MlClient;
  notificationCipher: TokenCipher;
  database: Database;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
  onEventRecorded: () => void;
}): WorkSteps => {
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
    outageLog: createOutageLog(logger, 'resuming watches'),
  });
  lifecycle.onClose('resuming watches', () => resume.close());
  startWatchListeners({ mailboxAccess, database, logger, lifecycle, registry });
  return {
    async takeStep(work) {
      const watch = await findLeasedWatch(database, work);
      if (watch !== null) observe(await runWatch(watch));
      return { kind: 'over' };
    },
    stopping,
  };
};
