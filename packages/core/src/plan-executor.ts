import type { Database } from '@mailsweep/database';
import { type LabelChangeOutcome, MailboxError } from '@mailsweep/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import {
  type ActionIntent,
  claimAbandonedIntents,
  type FoundIntent,
  insertActionIntent,
  renewLeases,
} from './action-intent.repository.ts';
import { type ActionPlan, ActionPlanSchema, type MadeChange, toWantedChanges } from './action-plan.ts';
import type { Clock, OpenMailbox } from './dependencies.ts';
import type { createRecordSettlement, Settlement } from './record-settlement.ts';

/** How often unfinished business is looked at, in milliseconds; far below the lease of an intent. */
const SETTLE_INTERVAL_MS = 5_000;
/** Most abandoned intents taken up at a time. */
const SETTLE_BATCH = 20;
/** After this an intent whose mailbox never answered is given up, in milliseconds: 7 days. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

export interface PlanExecutor {
  /**
   * Carries a plan out and records what happened. When recording fails the outcomes are still answered, and
   * the records are written as soon as the database takes them.
   *
   * @returns the instant that the records bear, and one outcome for each item, in the plan's order
   * @throws when the plan could not be written down; nothing has been done then
   */
  carryOut(userId: string, plan: ActionPlan): Promise<{ requestedAt: Date; outcomes: LabelChangeOutcome[] }>;
  /** Records what could not be recorded before and finishes what dead processes left behind; one round. */
  settle(): Promise<void>;
  /** Stops the rounds of {@link settle}, after a last one. */
  close(): Promise<void>;
}

/**
 * Carries out plans of mailbox changes, and sees to it that each change ends up in the history, whatever
 * fails in between (docs/decisions/005).
 */
export const createPlanExecutor = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  recordSettlement: ReturnType<typeof createRecordSettlement>;
  clock: Clock;
  logger: Logger;
  settleIntervalMs?: number;
}): PlanExecutor => {
  const { database, openMailbox, recordSettlement, clock, logger } = dependencies;
  /** Intents that this process is at work on. */
  const underWay = new Set<string>();
  /** What happened but could not be recorded yet, by intent id. */
  const unrecorded = new Map<string, { intent: ActionIntent; settlement: Settlement }>();

  const carryOut: PlanExecutor['carryOut'] = async (userId, plan) => {
    if (plan.items.length === 0) return { requestedAt: clock(), outcomes: [] };
    const intent = await insertActionIntent(database, userId, plan, clock());
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
      return await openMailbox(userId).changeLabels(toWantedChanges(plan), plan.mailboxHistoryId);
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

  /** Finds out from the mailbox itself which changes of an abandoned intent were made. */
  const settleAbandoned = async (found: FoundIntent): Promise<void> => {
    const plan = ActionPlanSchema.parse(found.plan);
    const intent: ActionIntent = { ...found, plan };
    const outcomes = await openMailbox(intent.userId).findChanges(
      toWantedChanges(plan),
      plan.mailboxHistoryId,
    );
    const { done, unsure } = toSettlement(plan, outcomes);
    const isHopeless = clock().getTime() - intent.requestedAt.getTime() > GIVE_UP_AFTER_MS;
    const givesUp = isHopeless && unsure.size > 0;
    if (givesUp) {
      logger.error(
        { intentId: intent.id, items: unsure.size },
        'gave up finding out what became of mailbox changes',
      );
    }
    await recordSettlement(intent, { done, unsure: givesUp ? new Map() : unsure });
  };

  const settle = async (): Promise<void> => {
    const mine = [...underWay, ...unrecorded.keys()];
    if (mine.length > 0) await renewLeases(database, mine);
    for (const { intent, settlement } of [...unrecorded.values()]) await record(intent, settlement);
    for (const intent of await claimAbandonedIntents(database, SETTLE_BATCH)) {
      await settleAbandoned(intent).catch((error: unknown) =>
        logger.error({ err: error, intentId: intent.id }, 'an abandoned intent could not be settled yet'),
      );
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
    for (const { intent, settlement } of [...unrecorded.values()]) await record(intent, settlement);
  };

  return { carryOut, settle, close };
};

const toSettlement = (plan: ActionPlan, outcomes: LabelChangeOutcome[]): Settlement => {
  const done = new Map<string, MadeChange>();
  const unsure = new Map<string, { isDone: boolean }>();
  for (const [index, { recordId }] of plan.items.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'ok') {
      if (outcome.change) done.set(recordId, { change: outcome.change, historyId: outcome.historyId });
      else unsure.set(recordId, { isDone: true });
    } else if (outcome === undefined || outcome.isUnsure) unsure.set(recordId, { isDone: false });
  }
  return { done, unsure };
};
