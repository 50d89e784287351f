import type { Database } from '@mailsweep/database';
import type { JobOutcome, QueueBackend } from '@mailsweep/event-bus';
import { createQuotaObserver } from '@mailsweep/mailbox-quota';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import type { Registry } from 'prom-client';
import { createScanning } from './create-scanning.ts';
import type { ScanConfig } from './scan-config.ts';
import { startScanConsumer } from './scan-consumer.ts';
import { createScanObserver } from './scan-metrics.ts';
import { createScanSweeper } from './scan-sweeper.ts';

/** Longest wait for the quota store, in milliseconds; after that this process counts by itself. */
const QUOTA_STORE_TIMEOUT_MS = 50;
/** Time to abort a step at shutdown, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Starts scanning mailboxes: takes steps from the queue, and sweeps scans whose job was lost. */
export const startScanning = (dependencies: {
  config: ScanConfig;
  redisUrl: string | undefined;
  database: Database;
  queue: QueueBackend;
  logger: Logger;
  lifecycle: Lifecycle;
  registry: Registry;
  onOutcome: (outcome: JobOutcome) => void;
}): void => {
  const { config, redisUrl, database, queue, logger, lifecycle, registry, onOutcome } = dependencies;
  const redis = redisUrl === undefined ? undefined : openQuotaStore(redisUrl, logger);
  if (redis !== undefined) lifecycle.onClose('quota store', () => redis.disconnect());
  const observeScan = createScanObserver(registry, database);
  const observeQuota = createQuotaObserver(registry);
  const scanning = createScanning({ config, database, redis, logger, observeQuota, observeScan });
  const sweeper = createScanSweeper({ database, queue, logger, observe: observeScan });
  lifecycle.onClose('scan sweeper', () => sweeper.close());
  const consumer = startScanConsumer({
    ...scanning,
    queue,
    concurrency: config.SCAN_CONCURRENCY,
    onOutcome,
  });
  lifecycle.onClose('scan consumer', async () => {
    if (!(await consumer.close(CLOSE_TIMEOUT_MS))) logger.warn('left a step of a scan to other workers');
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
