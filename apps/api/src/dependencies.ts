import { createSecretKey } from 'node:crypto';
import { createMailsweep, startOutgoingCallLog } from '@mailsweep/core';
import { openDatabase, pingDatabase } from '@mailsweep/database';
import { createOutboxRelay, createOutboxSweeper, openQueueBackend } from '@mailsweep/event-bus';
import { ACCESS_ERRORS, createInboxCounts } from '@mailsweep/mail/mailbox';
import {
  createMailboxAccess,
  deriveKey,
  formatProcessName,
  toFingerprints,
  warnOfWrongKey,
} from '@mailsweep/mail/provider-connection';
import { createQuotaObserver } from '@mailsweep/mail/quota';
import { addShadow, type BreakerState, createMlClient, observeAdvice } from '@mailsweep/ml-client';
import {
  createAccessLog,
  createSharedReading,
  type Lifecycle,
  type Logger,
  VERSION,
} from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import { type ClientDocumentOptions, createFindClient } from './auth/authorization-server/oauth-clients.ts';
import { isLoopback } from './auth/authorization-server/redirect-uri.ts';
import { toSessionLife } from './auth/session.repository.ts';
import { createSessionTokens } from './auth/session-token.ts';
import {
  createDomainLookup,
  createProvidersOfDomain,
  type DomainLookup,
} from './auth/sign-in/providers-of-domain.ts';
import { createSignIn } from './auth/sign-in/sign-in.ts';
import type { Config } from './config.ts';
import { watchEventLoopDelay } from './limits/shed-load.ts';
import { createApiMetrics, observeMailbox, registerBacklogMetrics } from './operations/metrics.ts';

const HOUR_MS = 3_600_000;
/** How long the result of a check of the database is reused, in milliseconds. */
const HEALTH_REUSE_MS = 1_000;
/** How long the provider's count of an inbox is reused, in milliseconds. */
const INBOX_COUNT_REUSE_MS = 60_000;

/**
 * Puts the API together: the one place where every part is made and given what it needs. Whatever opens a
 * handle is registered for closing, in the order of opening.
 */
export const createDependencies = async (
  config: Config,
  logger: Logger,
  lifecycle: Lifecycle,
  {
    batchReads,
    clientDocuments,
    domainLookup = createDomainLookup(),
  }: { batchReads?: boolean; clientDocuments?: ClientDocumentOptions; domainLookup?: DomainLookup } = {},
) => {
  const { databaseUrl, REDIS_URL: redisUrl, TOKEN_ENCRYPTION_KEY: encryptionKey } = config;
  const metrics = createApiMetrics();
  const eventLoopDelay = watchEventLoopDelay();
  lifecycle.onClose('event loop watch', () => eventLoopDelay.close());

  const previousKey = config.TOKEN_ENCRYPTION_KEY_PREVIOUS;
  const database = openDatabase({
    databaseUrl,
    poolSize: config.limits.databasePoolSize,
    applicationName: formatProcessName({
      service: 'api',
      version: VERSION,
      keys: toFingerprints({ current: encryptionKey, previous: previousKey }),
    }),
  });
  lifecycle.onClose('database', () => database.$disconnect());
  const outgoingCalls = startOutgoingCallLog({ database, logger });
  lifecycle.onClose('outgoing calls', () => outgoingCalls.close());
  const redis =
    redisUrl === undefined ? undefined : openLimiterStore(redisUrl, config.limits.storeTimeoutMs, logger);
  if (redis !== undefined) lifecycle.onClose('limiter store', () => redis.disconnect());

  const queue = await openQueueBackend({ redisUrl, databaseUrl, logger });
  lifecycle.onClose('queue', () => queue.close());
  registerBacklogMetrics(metrics.registry, { database, queue });
  const outboxRelay = createOutboxRelay({ database, queue, logger });
  lifecycle.onClose('outbox relay', () => outboxRelay.close());
  const outboxSweeper = createOutboxSweeper({ database, relay: outboxRelay, logger });
  lifecycle.onClose('outbox sweeper', () => outboxSweeper.close());

  const toSessionKey = (key: Buffer) => createSecretKey(deriveKey(key, 'session'));
  const sessionTokens = createSessionTokens({
    current: toSessionKey(encryptionKey),
    previous: previousKey && toSessionKey(previousKey),
  });
  const mailboxAccess = createMailboxAccess({
    config,
    redirectUri: config.OAUTH_REDIRECT_URI,
    database,
    redis,
    logger,
    observeQuota: createQuotaObserver(metrics.registry),
    batchReads,
  });
  const { tokenCipher, providers } = mailboxAccess;
  void warnOfWrongKey({ database, tokenCipher, logger });
  const sessionLife = toSessionLife(config.SESSION_TTL_HOURS * HOUR_MS);
  const signIn = createSignIn({
    database,
    providers,
    tokenCipher,
    sessionTokens,
    sessionLife,
    recentSignInMinutes: config.limits.recentSignInMinutes,
    logger,
  });

  // Anybody names the addresses of clients, so that none of a private network is called. An API on this computer, as of
  // `npm start`, serves those who develop there.
  const findClient = createFindClient({
    policy: { allowPrivate: false },
    allowLoopback: isLoopback(config.OAUTH_REDIRECT_URI),
    ...clientDocuments,
  });

  const inboxCounts = createInboxCounts({ reuseMs: INBOX_COUNT_REUSE_MS, nowMs: Date.now });
  const openMailbox = (userId: string) =>
    observeMailbox(
      mailboxAccess.openMailbox(userId, { inboxCounts, onRebuild: metrics.countMailboxResync }),
      (error) => {
        metrics.countMailboxError(error.code);
        if (ACCESS_ERRORS.has(error.code)) {
          logger.warn(
            { userId, code: error.code, err: error },
            'the mail provider refuses access to a mailbox',
          );
        }
      },
    );
  const tokenSecret = config.INTERNAL_JWT_SECRET ?? deriveKey(encryptionKey, 'internal-jwt');
  const primaryMlClient = observeAdvice(
    createMlClient({
      baseUrl: config.ML_BASE_URL,
      timeoutMs: config.ML_TIMEOUT_MS,
      tokenSecret,
      breakerPauseMs: config.limits.breakerPauseMs,
      onOutcome: metrics.countMlCall,
      onBreakerChange: (state) => {
        metrics.setBreaker(state);
        logBreakerChange(logger, state);
      },
    }),
    { registry: metrics.registry, logger },
  );
  const mlClient = addShadow(primaryMlClient, {
    url: config.ML_SHADOW_URL,
    tokenSecret,
    breakerPauseMs: config.limits.breakerPauseMs,
    registry: metrics.registry,
    logger,
  });

  const mailsweep = createMailsweep({
    database,
    queue,
    mailboxAccess,
    openMailbox,
    mlClient,
    publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
    onEventRecorded: () => outboxRelay.wake(),
    pushKey: config.VAPID_PUBLIC_KEY,
    webhookAvailable: config.NOTIFICATION_WEBHOOK,
    logger,
  });
  lifecycle.onClose('intent executor', mailsweep.close);

  return {
    database,
    queue,
    redis,
    sessionLife,
    sessionTokens,
    signIn,
    findClient,
    providers,
    providersOf: createProvidersOfDomain(providers, domainLookup),
    mailsweep,
    outgoingCalls,
    isDatabaseReachable: createSharedReading(async () => {
      await pingDatabase(database);
      return true;
    }, HEALTH_REUSE_MS),
    accessLog: createAccessLog(logger),
    metrics,
    eventLoopDelay,
    logger,
  };
};

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;

const logBreakerChange = (logger: Logger, state: BreakerState): void => {
  const line = { breaker: state };
  if (state === 'open') logger.warn(line, 'the classification service keeps failing; circuit breaker opened');
  else if (state === 'closed') logger.info(line, 'the classification service is back');
  else logger.debug(line, 'trying the classification service again');
};

/** Commands fail fast: a limiter must never delay a request. */
const openLimiterStore = (url: string, timeoutMs: number, logger: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: timeoutMs,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', (error: Error) => logger.debug({ err: error }, 'the limiter store is out of reach'));
  return redis;
};
