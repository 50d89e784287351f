import {
  createScanMailbox,
  giveUpScans,
  listStalledScans,
  type OpenScanMailbox,
  ScanJobDataSchema,
  toScanJob,
} from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { type JobOutcome, MAILBOX_SCAN_QUEUE, type QueueBackend } from '@mailsweep/event-bus';
import type { MlClient } from '@mailsweep/ml-client';
import type { createMailboxAccess } from '@mailsweep/provider-connection';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import type { Registry } from 'prom-client';
import { openMeteredMailbox } from '../metered-mailbox.ts';
import { startStepWork } from '../steps/start-step-work.ts';
import type { ScanConfig } from './scan-config.ts';
import { createScanObserver } from './scan-metrics.ts';

/** Scan steps in flight at once; most of the time each waits for quota. */
const CONCURRENCY = 8;

/** Starts scanning mailboxes at background priority. Scans without progress for a day fail. */
export const startScanning = (dependencies: {
  config: ScanConfig;
  mailboxAccess: ReturnType<typeof createMailboxAccess>;
  mlClient: MlClient;
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
  onOutcome: (outcome: JobOutcome) => void;
}): void => {
  const { config, mailboxAccess, mlClient, database, queue, logger, lifecycle, registry, onOutcome } =
    dependencies;
  const observe = createScanObserver(registry, database);
  const stopping = new AbortController();

  const openScanMailbox: OpenScanMailbox = (userId) =>
    openMeteredMailbox(mailboxAccess, userId, stopping.signal);
  const scanPage = createScanMailbox({
    database,
    openScanMailbox,
    openMessageStore: mailboxAccess.openMessageStore,
    mlClient,
    logger,
    publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
    observe,
  });

  startStepWork({
    kind: {
      name: 'scan',
      queueName: MAILBOX_SCAN_QUEUE,
      schema: ScanJobDataSchema,
      toJob: toScanJob,
      async takeStep(step) {
        const outcome = await scanPage(step.scanId, step.page);
        return outcome.kind === 'next' ? { kind: 'next', step: { ...step, page: outcome.page } } : outcome;
      },
      async listStalled(limit) {
        const stalled = await listStalledScans(database, limit);
        return stalled.map(({ id, userId, pages }) => ({ scanId: id, userId, page: pages }));
      },
    },
    queue,
    concurrency: CONCURRENCY,
    logger,
    lifecycle,
    onOutcome,
    stopping,
    async beforeRound() {
      const givenUp = await giveUpScans(database);
      for (let count = 0; count < givenUp; count += 1) observe({ type: 'ended', outcome: 'timed_out' });
      if (givenUp > 0) logger.warn({ count: givenUp }, 'scans timed out without progress');
    },
  });
};
