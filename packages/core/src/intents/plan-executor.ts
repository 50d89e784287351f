import type { Database } from '@mailsweep/database';
import { type LabelChangeOutcome, MailboxError } from '@mailsweep/mailbox-sync';
import type { Logger } from '@mailsweep/service-kit';
import { type ActionPlan, toRequestedChanges } from '../acting/action-plan.ts';
import type { MailboxLease } from '../concurrency/mailbox-lease.repository.ts';
import { MailboxBusyError, type MailboxLock } from '../concurrency/mailbox-lock.ts';
import type { Clock, OpenMailbox } from '../dependencies.ts';
import {
  type ActionIntent,
  claimAbandonedIntents,
  type FoundIntent,
  insertActionIntent,
  releaseIntents,
  renewLeases,
} from './action-intent.repository.ts';
import { createIntentRecovery, type ItemFilter, type UnknownChange } from './intent-recovery.ts';
import { type RecordSettlement, type Settlement, toSettlement } from './record-settlement.ts';

/** How often unfinished business is looked at, in milliseconds; far below the lease of an intent. */
const SETTLE_INTERVAL_MS = 5_000;
/** Most abandoned intents taken up at a time. */
const SETTLE_BATCH = 20;

/** What a request may do while it is the only one that changes its user's mailbox. */
export interface MailboxTurn {
  /**
   * Records what earlier requests left open, as far as it is selected; to be called before the same emails are looked at.
   *
   * @returns the selected changes of which the mailbox can't tell yet whether they were made
   */
  recoverEarlier(isSelected: ItemFilter): Promise<UnknownChange[]>;
  /**
   * Carries a plan out and records what happened. When recording fails the outcomes are still answered, and
   * the records are written as soon as the database takes them.
   *
   * @param idempotencyKey - the key that the request carried; what was done is noted under it
   * @returns the instant that the records bear, and one outcome for each item, in the plan's order
   * @throws when the plan could not be written down; nothing has been done then
   */
  carryOut(
    plan: ActionPlan,
    idempotencyKey?: string,
  ): Promise<{ requestedAt: Date; outcomes: LabelChangeOutcome[] }>;
}

export interface PlanExecutor {
  /**
   * Does work while no other request changes the user's mailbox. All that the work decides by must be read within it.
   *
   * @throws {MailboxBusyError} when its turn did not come in time; nothing has been done then
   */
  inTurn<T>(userId: string, work: (turn: MailboxTurn) => Promise<T>): Promise<T>;
  /** Records what could not be recorded before and finishes what dead processes left behind; one round. */
  settle(): Promise<void>;
  /** Stops the rounds of {@link settle}, after a last one. */
  close(): Promise<void>;
}

/**
 * Carries out plans of mailbox changes, and sees to it that each change ends up in the history, whatever
 * fails in between (docs/decisions/005), and only once (docs/decisions/032).
 */
export const createPlanExecutor = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  mailboxLock: MailboxLock;
  recordSettlement: RecordSettlement;
  clock: Clock;
  logger: Logger;
  settleIntervalMs?: number;
}): PlanExecutor => {
  const { database, openMailbox, mailboxLock, recordSettlement, clock, logger } = dependencies;
  const { recoverAbandoned, recoverEarlier } = createIntentRecovery(dependencies);
  /** Intents that this process is at work on. */
  const underWay = new Set<string>();
  /** What happened but could not be recorded yet, by intent id. */
  const unrecorded = new Map<string, { intent: ActionIntent; settlement: Settlement }>();

  const carryOut = async (lease: MailboxLease, plan: ActionPlan, idempotencyKey?: string) => {
    if (plan.items.length === 0) return { requestedAt: clock(), outcomes: [] };
    const intent = await insertActionIntent(database, lease, plan, clock(), idempotencyKey);
    if (intent === undefined) throw new MailboxBusyError('the lease of the mailbox was lost');
    underWay.add(intent.id);
    try {
      const outcomes = await changeLabels(intent);
      await record(intent, toSettlement(plan, outcomes));
      return { requestedAt: intent.requestedAt, outcomes };
    } finally {
      underWay.delete(intent.id);
    }
  };

  const changeLabels = async ({ userId, plan }: ActionIntent): Promise<LabelChangeOutcome[]> => {
    try {
      return await openMailbox(userId).changeLabels(toRequestedChanges(plan), plan.mailboxHistoryId);
    } catch (error) {
      const fault =
        error instanceof MailboxError ? error : new MailboxError('failed', 'unexpected', { cause: error });
      logger.error({ err: error, userId }, 'changing labels failed as a whole');
      return plan.items.map((item) => ({ id: item.emailId, status: 'error', error: fault, isUnsure: true }));
    }
  };

  const record = async (intent: ActionIntent, settlement: Settlement): Promise<void> => {
    try {
      await recordSettlement(intent, settlement);
      unrecorded.delete(intent.id);
    } catch (error) {
      logger.error(
        { err: error, intentId: intent.id },
        'the history could not be written; it will be tried again',
      );
      unrecorded.set(intent.id, { intent, settlement });
    }
  };

  const recordUnrecorded = async (isSelected: (intent: ActionIntent) => boolean): Promise<void> => {
    for (const { intent, settlement } of [...unrecorded.values()]) {
      if (isSelected(intent)) await record(intent, settlement);
    }
  };

  const inTurn: PlanExecutor['inTurn'] = (userId, work) =>
    mailboxLock.hold(userId, (lease) =>
      work({
        carryOut: (plan, idempotencyKey) => carryOut(lease, plan, idempotencyKey),
        async recoverEarlier(isSelected) {
          await recordUnrecorded((intent) => intent.userId === userId);
          const isKnown = (intentId: string) => unrecorded.has(intentId) || underWay.has(intentId);
          return await recoverEarlier(userId, isSelected, isKnown);
        },
      }),
    );

  const settleAbandoned = async (userId: string, intents: FoundIntent[]): Promise<void> => {
    const recoverAll = async () => {
      for (const intent of intents) {
        await recoverAbandoned(intent).catch((error: unknown) =>
          logger.error({ err: error, intentId: intent.id }, 'an abandoned intent could not be settled yet'),
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

  const settle = async (): Promise<void> => {
    const mine = [...underWay, ...unrecorded.keys()];
    if (mine.length > 0) await renewLeases(database, mine);
    await recordUnrecorded(() => true);
    const abandoned = await claimAbandonedIntents(database, SETTLE_BATCH);
    for (const [userId, intents] of Map.groupBy(abandoned, (intent) => intent.userId)) {
      await settleAbandoned(userId, intents);
    }
  };

  let isSettling: Promise<void> = Promise.resolve();
  const timer = setInterval(() => {
    isSettling = isSettling
      .then(settle)
      .catch((error: unknown) => logger.warn({ err: error }, 'settling failed'));
  }, dependencies.settleIntervalMs ?? SETTLE_INTERVAL_MS);

  const close = async (): Promise<void> => {
    clearInterval(timer);
    await isSettling;
    await recordUnrecorded(() => true);
  };

  return { inTurn, settle, close };
};
