import type { CreateCleanupRequest, Preferences } from '@mailsweep/contracts';
import {
  type ChosenPreferences,
  cancelScan,
  createBrowseHistory,
  createConfirmSuggestions,
  createControlCleanup,
  createCountMailbox,
  createEraseUser,
  createExecuteInboxAction,
  createListCleanupEmails,
  createListCleanupSample,
  createListEmails,
  createListSuggestionGroups,
  createLookUpEmails,
  createMailOverview,
  createPlanCleanup,
  createProtections,
  createPushSubscriptions,
  createRules,
  createRunRule,
  createRunStep,
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
  findCleanup,
  findPreferences,
  findScan,
  findWatch,
  getActivity,
  getPrecision,
  type IntentExecutor,
  insertAuditEntry,
  listAuditEntries,
  listCleanups,
  listScans,
  listStoredEvents,
  summarizeEvents,
  summarizeSuggestions,
  updatePreferences,
} from '@mailsweep/core';
import { type Database, pingDatabase } from '@mailsweep/database';
import type { QueueBackend } from '@mailsweep/event-bus';
import type { OpenMailbox } from '@mailsweep/mailbox';
import type { MlClient } from '@mailsweep/ml-client';
import { createRevokeGrant, type MailboxAccess } from '@mailsweep/provider-connection';
import { createSharedReading, type Logger } from '@mailsweep/service-kit';
import { listLiveSessions } from './auth/session.repository.ts';
import { describeMailbox } from './auth/sign-in/describe-provider.ts';
import { findAccount } from './auth/sign-in/user.repository.ts';
import type { Config } from './config.ts';

/** How long the result of a check of the database is reused, in milliseconds. */
const HEALTH_REUSE_MS = 1_000;

/** What requests can do: each use case of the core with what it needs. */
export const createUseCases = (options: {
  config: Config;
  database: Database;
  queue: QueueBackend;
  mailboxAccess: MailboxAccess;
  openMailbox: OpenMailbox;
  mlClient: MlClient;
  intentExecutor: IntentExecutor;
  onEventRecorded: () => void;
  logger: Logger;
}) => {
  const { config, database, queue, mailboxAccess, openMailbox, intentExecutor, onEventRecorded, logger } =
    options;
  const { tokenCipher, providers } = mailboxAccess;

  /** A read that adds nothing to its query is its own use case. */
  const withDatabase =
    <Parameters extends unknown[], Result>(work: (database: Database, ...parameters: Parameters) => Result) =>
    (...parameters: Parameters): Result =>
      work(database, ...parameters);

  const cachedTexts = { database, cipher: mailboxAccess.messageCipher };
  const history = createBrowseHistory(cachedTexts);
  const undoActions = createUndoActions({ database, openMailbox, intentExecutor });

  const undoBatch = createUndoBatch({
    database,
    runBatchUndo: createRunStep({ database, logger }, 'undo', createTakeUndoStep({ database, undoActions })),
    findActionBatch: history.findActionBatch,
  });
  const planCleanup = createPlanCleanup({ ...cachedTexts, openMailbox });
  const rules = createRules(cachedTexts);
  const changePreferences = withDatabase(updatePreferences);
  const toPreferences = (chosen: ChosenPreferences): Preferences => ({
    ...chosen,
    webhookAvailable: config.NOTIFICATION_WEBHOOK,
  });

  return {
    isDatabaseReachable: createSharedReading(async () => {
      await pingDatabase(database);
      return true;
    }, HEALTH_REUSE_MS),
    ...history,
    findAccount: async (userId: string) => {
      const account = await findAccount(database, userId);
      if (account === null) return null;
      const { provider: key, ...user } = account;
      return { ...user, ...describeMailbox(key, providers.get(key)) };
    },
    listLiveSessions: withDatabase(listLiveSessions),
    listAuditEntries: withDatabase(listAuditEntries),
    insertAuditEntry: withDatabase(insertAuditEntry),
    findPreferences: async (userId: string) => toPreferences(await findPreferences(database, userId)),
    findWatch: withDatabase(findWatch),
    updatePreferences: async (...change: Parameters<typeof changePreferences>) =>
      toPreferences(await changePreferences(...change)),
    summarizeEvents: withDatabase(summarizeEvents),
    summarizeSuggestions: withDatabase(summarizeSuggestions),
    getActivity: withDatabase(getActivity),
    getPrecision: withDatabase(getPrecision),
    listStoredEvents: withDatabase(listStoredEvents),
    listScans: withDatabase(listScans),
    findScan: withDatabase(findScan),
    listCleanups: withDatabase(listCleanups),
    cancelScan: withDatabase(cancelScan),
    listEmails: createListEmails({ openMailbox }),
    countMailbox: createCountMailbox({ database, openMailbox }),
    lookUpEmails: createLookUpEmails({ openMailbox }),
    readConversation: (userId: string, threadId: string) => openMailbox(userId).readConversation(threadId),
    suggestActions: createSuggestActions({
      database,
      openMailbox,
      mlClient: options.mlClient,
      logger,
      publishThreshold: config.SUGGESTIONS_PUBLISH_THRESHOLD,
      onEventRecorded,
    }),
    ...createMailOverview(cachedTexts),
    listSuggestionGroups: createListSuggestionGroups(cachedTexts),
    startScan: createStartScan({ database }),
    planCleanup: (userId: string, request: CreateCleanupRequest) => planCleanup(userId, request),
    findCleanup: withDatabase(findCleanup),
    listCleanupSample: createListCleanupSample(cachedTexts),
    listCleanupEmails: createListCleanupEmails(cachedTexts),
    controlCleanup: createControlCleanup({ database }),
    ...rules,
    ...createRunRule({ ...cachedTexts, openMailbox, planCleanup }),
    undoRule: createUndoRule({ database, findRule: rules.findRule, undoBatch }),
    executeInboxAction: createExecuteInboxAction({ database, openMailbox, intentExecutor }),
    confirmSuggestions: createConfirmSuggestions({ ...cachedTexts, openMailbox, intentExecutor }),
    undoActions,
    undoBatch,
    undoCleanup: createUndoCleanup({ database, undoBatch }),
    eraseUser: createEraseUser({
      database,
      queue,
      revokeGrant: createRevokeGrant({ database, tokenCipher, providers }),
      logger,
    }),
    exportPersonalData: (userId: string) => exportPersonalData(cachedTexts, userId),
    ...createProtections({ ...cachedTexts, senderKey: mailboxAccess.senderKey }),
    ...createUnsubscribing(cachedTexts),
    ...createPushSubscriptions({ database, cipher: tokenCipher, pushKey: config.VAPID_PUBLIC_KEY }),
    findPushKey: () => config.VAPID_PUBLIC_KEY ?? null,
    ...createStoppedSuggestions(cachedTexts),
  };
};

export type UseCases = ReturnType<typeof createUseCases>;
