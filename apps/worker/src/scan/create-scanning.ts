import { createScanMailbox, type OpenScanMailbox, type ScanEvent } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { meterQuota, openQuotaGovernor, type QuotaEvent } from '@mailsweep/mailbox-quota';
import { createGmailMailbox, createMessageStores } from '@mailsweep/mailbox-sync';
import { createMlClient } from '@mailsweep/ml-client';
import {
  createAccessTokens,
  createOidcProvider,
  createTokenCipher,
  deriveKey,
  deriveMessageKeys,
} from '@mailsweep/provider-connection';
import type { Logger } from '@mailsweep/service-kit';
import type { Redis } from 'ioredis';
import type { ScanConfig } from './scan-config.ts';

/** Refreshing tokens needs no way back for browsers. */
const NO_REDIRECT = 'http://localhost/auth/idp/callback';

/** Puts together what takes the steps of scans: mailboxes at background priority, and the classification service. */
export const createScanning = (dependencies: {
  config: ScanConfig;
  database: Database;
  redis: Redis | undefined;
  logger: Logger;
  observeQuota: (event: QuotaEvent) => void;
  observeScan: (event: ScanEvent) => void;
}) => {
  const { config, database, redis, logger, observeQuota, observeScan } = dependencies;
  const { TOKEN_ENCRYPTION_KEY: current, TOKEN_ENCRYPTION_KEY_PREVIOUS: previous } = config;
  const stopping = new AbortController();
  const tokenCipher = createTokenCipher({ current, previous });
  const oidcProvider = createOidcProvider({
    issuer: config.OAUTH_ISSUER,
    clientId: config.OAUTH_CLIENT_ID,
    clientSecret: config.OAUTH_CLIENT_SECRET,
    redirectUri: NO_REDIRECT,
  });
  const accessTokens = createAccessTokens({ database, tokenCipher, oidcProvider, logger });
  const openMessageStore = createMessageStores({
    database,
    ...deriveMessageKeys({ current, previous }),
  });
  const governor = openQuotaGovernor({ config, redis, logger, observe: observeQuota });

  const openScanMailbox: OpenScanMailbox = (userId) => {
    let units = 0;
    const mailbox = createGmailMailbox({
      baseUrl: config.GMAIL_BASE_URL,
      accessTokens: accessTokens.sourceFor(userId),
      userId,
      governor: meterQuota(governor, (taken) => {
        units += taken;
      }),
      priority: 'background',
      signal: stopping.signal,
      batchReads: config.GMAIL_BATCH_READS,
      store: openMessageStore(userId),
      onRebuild: () => logger.warn({ userId }, 'the history of a mailbox is gone; its cache begins anew'),
      onStoreError: (error) =>
        logger.warn({ err: error, userId }, 'the message cache could not be brought up to date'),
    });
    return { mailbox, unitsUsed: () => units };
  };

  const mlClient = createMlClient({
    baseUrl: config.ML_BASE_URL,
    timeoutMs: config.ML_TIMEOUT_MS,
    tokenSecret: config.INTERNAL_JWT_SECRET ?? deriveKey(current, 'internal-jwt'),
    breakerPauseMs: config.ML_BREAKER_PAUSE_MS,
  });

  return {
    takeStep: createScanMailbox({
      database,
      openScanMailbox,
      openMessageStore,
      mlClient,
      clock: () => new Date(),
      logger,
      publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
      observe: observeScan,
    }),
    stop: () => stopping.abort(new Error('the worker is stopping')),
    isStopping: () => stopping.signal.aborted,
  };
};
