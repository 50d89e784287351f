import { createSecretKey } from 'node:crypto';
import type { CreateCleanupRequest } from '@mailsweep/contracts';
import {
  type CleanupJobData,
  cancelScan,
  createConfirmSuggestions,
  createControlCleanup,
  createCountMailbox,
  createEraseUser,
  createExecuteInboxAction,
  createFindCleanupPlan,
  createListBatches,
  createListCleanupEmails,
  createListEmails,
  createListSuggestionGroups,
  createLookUpEmails,
  createMailboxLock,
  createMailOverview,
  createPlanCleanup,
  createPlanExecutor,
  createProtections,
  createPushSubscriptions,
  createReadConversation,
  createRecordOutcomes,
  createRules,
  createRunRule,
  createStartScan,
  createStoppedSuggestions,
  createSuggestActions,
  createTakeUndoStep,
  createUndoActions,
  createUndoBatch,
  createUndoCleanup,
  createUndoRule,
  createUnsubscribing,
  exportPersonalData,
  findPreferences,
  findScan,
  findWatch,
  getActivity,
  getPrecision,
  insertAuditEntry,
  listActionHistory,
  listAuditEntries,
  listCleanups,
  listNotificationEvents,
  listScans,
  summarizeNotifications,
  summarizeSuggestions,
  toBatchUndoJob,
  toCleanupJob,
  toScanJob,
  updatePreferences,
} from '@mailsweep/core';
import { type Database, openDatabase, pingDatabase } from '@mailsweep/database';
import {
  BATCH_UNDO_QUEUE,
  createOutboxRelay,
  createOutboxSweeper,
  MAILBOX_CLEANUP_QUEUE,
  MAILBOX_SCAN_QUEUE,
  type NewJob,
  openQueueBackend,
  type QueueName,
} from '@mailsweep/event-bus';
import { findAccessError } from '@mailsweep/gmail';
import { createQuotaObserver } from '@mailsweep/mailbox-quota';
import { ACCESS_ERRORS, createInboxCounts } from '@mailsweep/mailbox-sync';
import { type BreakerState, createMlClient } from '@mailsweep/ml-client';
import { createMailboxAccess, createRevokeGrant, deriveKey } from '@mailsweep/provider-connection';
import { createAccessLog, createSharedReading, type Lifecycle, type Logger } from '@mailsweep/service-kit';
import { Redis } from 'ioredis';
import { listLiveSessions } from './auth/session.repository.ts';
import { createSessionTokens } from './auth/session-token.ts';
import { createSignIn } from './auth/sign-in.ts';
import { findAccount } from './auth/user.repository.ts';
import type { Config } from './config.ts';
import { watchEventLoopDelay } from './http/shed-load.ts';
import {
  createApiMetrics,
  observeMailbox,
  registerBacklogMetrics,
  registerStreamMetrics,
} from './operations/metrics.ts';
import { createEventStreams } from './streams/event-streams.ts';
import { findFollowedCleanup, findFollowedScan } from './streams/followed-work.repository.ts';

const HOUR_MS = 3_600_000;
/** How long the result of a check of the database is reused, in milliseconds. */
const HEALTH_REUSE_MS = 1_000;
/** How long the provider's count of an inbox is reused, in milliseconds. */
const INBOX_COUNT_REUSE_MS = 60_000;
/** Longest wait for the store of rate limits and quota, in milliseconds; then each replica counts for itself. */
const LIMITER_TIMEOUT_MS = 40;

/**
 * Puts the API together: the one place where every part is made and given what it needs. Whatever opens a
 * handle is registered for closing, in the order of opening.
 */
export const createDependencies = async (config: Config, logger: Logger, lifecycle: Lifecycle) => {
  const { databaseUrl, REDIS_URL: redisUrl, TOKEN_ENCRYPTION_KEY: encryptionKey } = config;
  const metrics = createApiMetrics();
  const eventLoopDelay = watchEventLoopDelay();
  lifecycle.onClose('event loop watch', () => eventLoopDelay.close());

  const database = openDatabase({ databaseUrl, poolSize: config.DATABASE_POOL_SIZE });
  lifecycle.onClose('database', () => database.$disconnect());
  const redis = redisUrl === undefined ? undefined : openLimiterStore(redisUrl, logger);
  if (redis !== undefined) lifecycle.onClose('limiter store', () => redis.disconnect());

  const queue = await openQueueBackend({ redisUrl, databaseUrl, logger });
  lifecycle.onClose('queue', () => queue.close());
  registerBacklogMetrics(metrics.registry, { database, queue });
  const outboxRelay = createOutboxRelay({ database, queue, logger });
  lifecycle.onClose('outbox relay', () => outboxRelay.close());
  const outboxSweeper = createOutboxSweeper({ database, relay: outboxRelay, logger });
  lifecycle.onClose('outbox sweeper', () => outboxSweeper.close());
  const onEventRecorded = () => outboxRelay.wake();

  const previousKey = config.TOKEN_ENCRYPTION_KEY_PREVIOUS;
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
  });
  const { tokenCipher, oidcProvider } = mailboxAccess;
  const sessionTtlMs = config.SESSION_TTL_HOURS * HOUR_MS;
  const signIn = createSignIn({
    database,
    oidcProvider,
    tokenCipher,
    sessionTokens,
    findAccessError: (accessToken) => findAccessError({ baseUrl: config.GMAIL_BASE_URL, accessToken }),
    sessionTtlMs,
    logger,
  });

  const inboxCounts = createInboxCounts({ reuseMs: INBOX_COUNT_REUSE_MS, nowMs: Date.now });
  const openMailbox = (userId: string) =>
    observeMailbox(
      mailboxAccess.openMailbox(userId, { inboxCounts, onRebuild: metrics.countMailboxResync }),
      (error) => {
        metrics.countMailboxError(error.code);
        if (ACCESS_ERRORS.has(error.code)) {
          logger.warn({ userId, code: error.code, err: error }, 'Google refuses access to a mailbox');
        }
      },
    );
  const mlClient = createMlClient({
    baseUrl: config.ML_BASE_URL,
    timeoutMs: config.ML_TIMEOUT_MS,
    tokenSecret: config.INTERNAL_JWT_SECRET ?? deriveKey(encryptionKey, 'internal-jwt'),
    breakerPauseMs: config.ML_BREAKER_PAUSE_MS,
    onOutcome: metrics.countMlCall,
    onBreakerChange: (state) => {
      metrics.setBreaker(state);
      logBreakerChange(logger, state);
    },
  });

  // Closed with the servers, which wait for streams to end: main.ts.
  const eventStreams = createEventStreams({
    maxStreams: config.MAX_EVENT_STREAMS,
    onFull: () => metrics.countShed('streams'),
    onTooMany: () => metrics.countRateLimited('streams'),
  });
  registerStreamMetrics(metrics.registry, eventStreams);

  const recordOutcomes = createRecordOutcomes({ database, onEventRecorded });
  const planExecutor = createPlanExecutor({
    database,
    openMailbox,
    mailboxLock: createMailboxLock({ database, logger }),
    recordOutcomes,
    logger,
  });
  lifecycle.onClose('plan executor', () => planExecutor.close());

  /** A read that adds nothing to its query is its own use case. */
  const withDatabase =
    <Parameters extends unknown[], Result>(work: (database: Database, ...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result =>
      work(database, ...parameters);

  /** No request waits for the queue: the worker's sweepers add jobs that could not be added here. */
  const enqueue = (queueName: QueueName, job: NewJob): void =>
    void queue
      .addJobs(queueName, [job])
      .catch((error: unknown) =>
        logger.warn({ err: error, queueName, jobId: job.id }, 'a job waits for the queue to come back'),
      );

  const cachedTexts = { database, cipher: mailboxAccess.messageCipher };
  const batches = createListBatches(cachedTexts);
  const undoActions = createUndoActions({ database, openMailbox, planExecutor });

  const undoBatch = createUndoBatch({
    database,
    takeUndoStep: createTakeUndoStep({ database, undoActions }),
    enqueue: (step) => enqueue(BATCH_UNDO_QUEUE, toBatchUndoJob(step)),
    findActionBatch: batches.findActionBatch,
    logger,
  });
  const planCleanup = createPlanCleanup({ ...cachedTexts, openMailbox });
  const onCleanupQueued = (job: CleanupJobData) => enqueue(MAILBOX_CLEANUP_QUEUE, toCleanupJob(job));
  const rules = createRules(cachedTexts);
  const useCases = {
    isDatabaseReachable: createSharedReading(async () => {
      await pingDatabase(database);
      return true;
    }, HEALTH_REUSE_MS),
    ...batches,
    findAccount: withDatabase(findAccount),
    listLiveSessions: withDatabase(listLiveSessions),
    listAuditEntries: withDatabase(listAuditEntries),
    insertAuditEntry: withDatabase(insertAuditEntry),
    findPreferences: withDatabase(findPreferences),
    findWatch: withDatabase(findWatch),
    updatePreferences: withDatabase(updatePreferences),
    summarizeNotifications: withDatabase(summarizeNotifications),
    summarizeSuggestions: withDatabase(summarizeSuggestions),
    getActivity: withDatabase(getActivity),
    getPrecision: withDatabase(getPrecision),
    listActionHistory: withDatabase(listActionHistory),
    listNotificationEvents: withDatabase(listNotificationEvents),
    listScans: withDatabase(listScans),
    findScan: withDatabase(findScan),
    findFollowedScan: withDatabase(findFollowedScan),
    findFollowedCleanup: withDatabase(findFollowedCleanup),
    listCleanups: withDatabase(listCleanups),
    cancelScan: withDatabase(cancelScan),
    listEmails: createListEmails({ openMailbox }),
    countMailbox: createCountMailbox({ database, openMailbox }),
    lookUpEmails: createLookUpEmails({ openMailbox }),
    readConversation: createReadConversation({ openMailbox }),
    suggestActions: createSuggestActions({
      database,
      openMailbox,
      mlClient,
      logger,
      publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
      onEventRecorded,
    }),
    ...createMailOverview(cachedTexts),
    listSuggestionGroups: createListSuggestionGroups(cachedTexts),
    startScan: createStartScan({
      database,
      onStarted: ({ id, userId, pages }) =>
        enqueue(MAILBOX_SCAN_QUEUE, toScanJob({ scanId: id, userId, page: pages })),
    }),
    planCleanup: (userId: string, request: CreateCleanupRequest) => planCleanup(userId, request),
    findCleanupPlan: createFindCleanupPlan(cachedTexts),
    listCleanupEmails: createListCleanupEmails(cachedTexts),
    controlCleanup: createControlCleanup({ database, onQueued: onCleanupQueued }),
    ...rules,
    ...createRunRule({ ...cachedTexts, openMailbox, planCleanup, onQueued: onCleanupQueued }),
    undoRule: createUndoRule({ database, findRule: rules.findRule, undoBatch }),
    executeInboxAction: createExecuteInboxAction({ database, openMailbox, planExecutor }),
    confirmSuggestions: createConfirmSuggestions({ database, openMailbox, planExecutor }),
    undoActions,
    undoBatch,
    undoCleanup: createUndoCleanup({ database, undoBatch }),
    eraseUser: createEraseUser({
      database,
      queue,
      revokeGrant: createRevokeGrant({ database, tokenCipher, oidcProvider }),
      logger,
    }),
    exportPersonalData: (userId: string) => exportPersonalData(cachedTexts, userId),
    ...createProtections(cachedTexts),
    ...createUnsubscribing(cachedTexts),
    ...createPushSubscriptions({ database, cipher: tokenCipher, pushKey: config.VAPID_PUBLIC_KEY }),
    findPushKey: () => config.VAPID_PUBLIC_KEY ?? null,
    ...createStoppedSuggestions(cachedTexts),
  };

  return {
    database,
    redis,
    sessionTokens,
    signIn,
    useCases,
    accessLog: createAccessLog(logger),
    metrics,
    eventLoopDelay,
    eventStreams,
    logger,
  };
};

export type Dependencies = Awaited<ReturnType<typeof createDependencies>>;
export type UseCases = Dependencies['useCases'];

const logBreakerChange = (logger: Logger, state: BreakerState): void => {
  const line = { breaker: state };
  if (state === 'open') logger.warn(line, 'the classification service keeps failing; circuit breaker opened');
  else if (state === 'closed') logger.info(line, 'the classification service is back');
  else logger.debug(line, 'trying the classification service again');
};

/** Commands fail fast: a limiter must never delay a request. */
const openLimiterStore = (url: string, logger: Logger): Redis => {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    commandTimeout: LIMITER_TIMEOUT_MS,
    maxRetriesPerRequest: 0,
  });
  redis.on('error', (error: Error) => logger.debug({ err: error }, 'the limiter store is out of reach'));
  return redis;
};
