import type { Database } from '@mailsweep/database';
import { type LabelChangeOutcome, MailboxError, type OpenMailbox } from '@mailsweep/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import type { MailboxLease } from '../concurrency/mailbox-lease.repository.ts';
import { MailboxBusyError, type MailboxLock } from '../concurrency/mailbox-lock.ts';
import {
  type ActionIntent,
  claimAbandonedIntents,
  type FoundIntent,
  insertActionIntent,
  releaseIntents,
  renewLeases,
} from './action-intent.repository.ts';
import { type IntendedChanges, toRequestedChanges } from './intended-changes.ts';
import { createIntentRecovery, type ItemFilter, type UnknownChange } from './intent-recovery.ts';
import { type IntentOutcomes, type RecordOutcomes, toIntentOutcomes } from './record-outcomes.ts';

/** How often pending intents are looked for, in milliseconds; far below the lease of an intent. */
const RECOVERY_INTERVAL_MS = 5_000;
/** Most abandoned intents recovered in one round. */
const RECOVERY_BATCH = 20;

/** What a request may do while it holds the lease of its user's mailbox. */
export interface LeasedMailbox {
  /**
   * Records pending changes of earlier requests that are selected. Call it before reading the same emails.
   *
   * @returns the selected changes that are still pending
   */
  recoverEarlier(isSelected: ItemFilter): Promise<UnknownChange[]>;
  /**
   * Makes the changes and records what happened. When recording fails, the outcomes are still returned,
   * and recording is retried until the database accepts them.
   *
   * @param idempotencyKey - key of the request; the applied changes are noted under it
   * @returns the time in the records, and one outcome for each item, in their order
   * @throws when the intent could not be stored; nothing has been done then
   */
  carryOut(
    changes: IntendedChanges,
    idempotencyKey?: string,
  ): Promise<{ requestedAt: Date; outcomes: LabelChangeOutcome[] }>;
}

export interface IntentExecutor {
  /**
   * Runs work while no other request changes the user's mailbox. The work must itself read everything that it decides by.
   *
   * @throws {MailboxBusyError} when the lease was not free in time; nothing has been done then
   */
  withMailboxLease<T>(userId: string, work: (leased: LeasedMailbox) => Promise<T>): Promise<T>;
  /** Runs one round: records outcomes that could not be recorded before, and recovers intents of dead processes. */
  recover(): Promise<void>;
  /** Stops the rounds of {@link recover}, after a last one. */
  close(): Promise<void>;
}

/**
 * Makes intended changes of mailboxes. Each change is recorded in the history, whatever fails in between
 * (docs/decisions/005), and only once (docs/decisions/032).
 */
export const createIntentExecutor = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  mailboxLock: MailboxLock;
  recordOutcomes: RecordOutcomes;
  nowMs?: () => number;
  logger: Logger;
  recoveryIntervalMs?: number;
}): IntentExecutor => {
  const { database, openMailbox, mailboxLock, recordOutcomes, nowMs = Date.now, logger } = dependencies;
  const { recoverAbandoned, recoverEarlier } = createIntentRecovery(dependencies);
  /** Intents that this process is carrying out. */
  const inFlight = new Set<string>();
  /** Outcomes that could not be recorded yet, by intent id. */
  const unrecorded = new Map<string, { intent: ActionIntent; outcomes: IntentOutcomes }>();

  const carryOut = async (lease: MailboxLease, changes: IntendedChanges, idempotencyKey?: string) => {
    const requestedAt = new Date(nowMs());
    if (changes.items.length === 0) return { requestedAt, outcomes: [] };
    const intent = await insertActionIntent(database, lease, changes, requestedAt, idempotencyKey);
    if (intent === undefined) throw new MailboxBusyError('the lease of the mailbox was lost');
    inFlight.add(intent.id);
    try {
      const outcomes = await changeLabels(intent);
      await record(intent, toIntentOutcomes(changes, outcomes));
      return { requestedAt, outcomes };
    } finally {
      inFlight.delete(intent.id);
    }
  };

  const changeLabels = async ({ userId, changes }: ActionIntent): Promise<LabelChangeOutcome[]> => {
    try {
      return await openMailbox(userId).changeLabels(toRequestedChanges(changes), changes.mailboxHistoryId);
    } catch (error) {
      const mailboxError =
        error instanceof MailboxError ? error : new MailboxError('failed', 'unexpected', { cause: error });
      logger.error({ err: error, userId }, 'changing labels failed as a whole');
      return changes.items.map((item) => ({
        id: item.emailId,
        status: 'error',
        error: mailboxError,
        isUnsure: true,
      }));
    }
  };

  const record = async (intent: ActionIntent, outcomes: IntentOutcomes): Promise<void> => {
    try {
      await recordOutcomes(intent, outcomes);
      unrecorded.delete(intent.id);
    } catch (error) {
      logger.error(
        { err: error, intentId: intent.id },
        'the history could not be written; it will be retried',
      );
      unrecorded.set(intent.id, { intent, outcomes });
    }
  };

  const recordUnrecorded = async (isSelected: (intent: ActionIntent) => boolean): Promise<void> => {
    for (const { intent, outcomes } of [...unrecorded.values()]) {
      if (isSelected(intent)) await record(intent, outcomes);
    }
  };

  const withMailboxLease: IntentExecutor['withMailboxLease'] = (userId, work) =>
    mailboxLock.hold(userId, (lease) =>
      work({
        carryOut: (changes, idempotencyKey) => carryOut(lease, changes, idempotencyKey),
        async recoverEarlier(isSelected) {
          await recordUnrecorded((intent) => intent.userId === userId);
          const isKnown = (intentId: string) => unrecorded.has(intentId) || inFlight.has(intentId);
          return await recoverEarlier(userId, isSelected, isKnown);
        },
      }),
    );

  const recoverAllAbandoned = async (userId: string, intents: FoundIntent[]): Promise<void> => {
    const recoverAll = async () => {
      for (const intent of intents) {
        await recoverAbandoned(intent).catch((error: unknown) =>
          logger.error({ err: error, intentId: intent.id }, 'an abandoned intent could not be recovered yet'),
        );
      }
    };
    try {
      await mailboxLock.hold(userId, recoverAll, 0);
    } catch (error) {
      if (!(error instanceof MailboxBusyError)) throw error;
      // A request is changing the mailbox: the next round tries again.
      const ids = intents.map(({ id }) => id);
      await releaseIntents(database, ids);
    }
  };

  const recover = async (): Promise<void> => {
    const mine = [...inFlight, ...unrecorded.keys()];
    if (mine.length > 0) await renewLeases(database, mine);
    await recordUnrecorded(() => true);
    const abandoned = await claimAbandonedIntents(database, RECOVERY_BATCH);
    for (const [userId, intents] of Map.groupBy(abandoned, (intent) => intent.userId)) {
      await recoverAllAbandoned(userId, intents);
    }
  };

  let recovering: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    recovering = recovering
      .then(recover)
      .catch((error: unknown) => logger.warn({ err: error }, 'recovering pending intents failed'));
  }, dependencies.recoveryIntervalMs ?? RECOVERY_INTERVAL_MS);

  const close = async (): Promise<void> => {
    clearInterval(timer);
    await recovering;
    await recordUnrecorded(() => true);
  };

  return { withMailboxLease, recover, close };
};
