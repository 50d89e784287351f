import { createScanMailbox, type OpenScanMailbox, type ScanEvent } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { meterQuota, type QuotaEvent } from '@mailsweep/mailbox-quota';
import { createMlClient } from '@mailsweep/ml-client';
import { createMailboxAccess, deriveKey } from '@mailsweep/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import type { Redis } from 'ioredis';
import type { ScanConfig } from './scan-config.ts';

/** Builds what a scan step needs: mailboxes at background priority, and the classification service. */
export const createScanning = (dependencies: {
  config: ScanConfig;
  database: Database;
  redis: Redis | undefined;
  logger: Logger;
  observeQuota: (event: QuotaEvent) => void;
  observeScan: (event: ScanEvent) => void;
}) => {
  const { config, database, redis, logger, observeQuota, observeScan } = dependencies;
  const stopping = new AbortController();
  const mailboxAccess = createMailboxAccess({ config, database, redis, logger, observeQuota });

  const openScanMailbox: OpenScanMailbox = (userId) => {
    let units = 0;
    const governor = meterQuota(mailboxAccess.governor, (taken) => {
      units += taken;
    });
    const mailbox = mailboxAccess.openMailbox(userId, {
      governor,
      priority: 'background',
      signal: stopping.signal,
    });
    return { mailbox, unitsUsed: () => units };
  };

  const mlClient = createMlClient({
    baseUrl: config.ML_BASE_URL,
    timeoutMs: config.ML_TIMEOUT_MS,
    tokenSecret: config.INTERNAL_JWT_SECRET ?? deriveKey(config.TOKEN_ENCRYPTION_KEY, 'internal-jwt'),
    breakerPauseMs: config.ML_BREAKER_PAUSE_MS,
  });

  return {
    takeStep: createScanMailbox({
      database,
      openScanMailbox,
      openMessageStore: mailboxAccess.openMessageStore,
      mlClient,
      logger,
      publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
      observe: observeScan,
    }),
    stop: () => stopping.abort(new Error('the worker is stopping')),
    isStopping: () => stopping.signal.aborted,
  };
};
