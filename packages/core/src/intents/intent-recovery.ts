import type { MailboxFault } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { ChangePendingError, type LabelChangeOutcome } from '@mailsweep/mailbox-sync';
import type { Logger } from '@mailsweep/service-kit';
import { type ActionPlan, ActionPlanSchema, toRequestedChanges } from '../acting/action-plan.ts';
import type { Clock, OpenMailbox } from '../dependencies.ts';
import { type ActionIntent, type FoundIntent, listOpenIntents } from './action-intent.repository.ts';
import { narrowPlan, type RecordSettlement, type Settlement, toSettlement } from './record-settlement.ts';

/** After this an intent whose mailbox never answered is given up, in milliseconds: 7 days. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** Selects items of plans. */
export type ItemFilter = (item: ActionPlan['items'][number]) => boolean;

/** An earlier change of which the mailbox can't tell yet whether it was made, or what it took. */
export interface UnknownChange {
  recordId: string;
  emailId: string;
  reason: 'in_progress' | MailboxFault;
}

const whyUnknown = (outcome: LabelChangeOutcome | undefined): UnknownChange['reason'] | undefined => {
  if (outcome?.status === 'ok') return outcome.change ? undefined : 'in_progress';
  if (!outcome?.isUnsure) return undefined;
  return outcome.error instanceof ChangePendingError ? 'in_progress' : outcome.error.code;
};

/**
 * Finds out from the mailbox itself which changes of an intent were made, and records those. Its user's mailbox must be
 * locked: what another request changes at the same time would be taken for a change of the intent.
 */
export const createIntentRecovery = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  recordSettlement: RecordSettlement;
  clock: Clock;
  logger: Logger;
}) => {
  const { database, openMailbox, recordSettlement, clock, logger } = dependencies;

  const ageMsOf = ({ requestedAt }: ActionIntent) => clock().getTime() - requestedAt.getTime();

  const findOutcomes = (intent: ActionIntent, plan: ActionPlan) =>
    openMailbox(intent.userId).findChanges(toRequestedChanges(plan), plan.mailboxHistoryId, ageMsOf(intent));

  /** Records an intent that a dead process left behind, as far as the mailbox can be read. */
  const recoverAbandoned = async (found: FoundIntent): Promise<void> => {
    const intent: ActionIntent = { ...found, plan: ActionPlanSchema.parse(found.plan) };
    const { done, unsure } = toSettlement(intent.plan, await findOutcomes(intent, intent.plan));
    const isHopeless = ageMsOf(intent) > GIVE_UP_AFTER_MS;
    const givesUp = isHopeless && unsure.size > 0;
    if (givesUp) {
      logger.error(
        { intentId: intent.id, items: unsure.size },
        'gave up finding out what became of mailbox changes',
      );
    }
    await recordSettlement(intent, { done, unsure: givesUp ? new Map() : unsure });
  };

  /**
   * Records the selected items of a user's open intents before the same emails are changed again: once they are, nobody
   * could tell the earlier change from the new one. What was not made is dropped.
   *
   * @param isKnown - whether this process knows by itself what became of an intent
   * @returns the selected items of which the mailbox can't tell yet
   */
  const recoverEarlier = async (
    userId: string,
    isSelected: ItemFilter,
    isKnown: (intentId: string) => boolean,
  ): Promise<UnknownChange[]> => {
    const unknown: UnknownChange[] = [];
    for (const found of await listOpenIntents(database, userId)) {
      if (isKnown(found.id)) continue;
      const intent: ActionIntent = { ...found, plan: ActionPlanSchema.parse(found.plan) };
      const { items } = intent.plan;
      const selected = new Set(items.filter(isSelected).map(({ recordId }) => recordId));
      if (selected.size === 0) continue;
      const plan = narrowPlan(intent.plan, (id) => (selected.has(id) ? {} : undefined));
      const outcomes = await findOutcomes(intent, plan);
      for (const [index, { recordId, emailId }] of plan.items.entries()) {
        const reason = whyUnknown(outcomes[index]);
        if (reason) unknown.push({ recordId, emailId, reason });
      }
      await recordPart(intent, toSettlement(plan, outcomes), selected);
    }
    return unknown;
  };

  /** Records some items of an intent; the others stay open. */
  const recordPart = async (
    intent: ActionIntent,
    { done, unsure }: Settlement,
    selected: ReadonlySet<string>,
  ): Promise<void> => {
    const others = intent.plan.items.filter(({ recordId }) => !selected.has(recordId));
    const open = others.map(({ recordId }) => [recordId, { isDone: false }] as const);
    try {
      await recordSettlement(intent, { done, unsure: new Map([...unsure, ...open]) });
    } catch (error) {
      logger.error({ err: error, intentId: intent.id }, 'an earlier mailbox change could not be recorded');
    }
  };

  return { recoverAbandoned, recoverEarlier };
};

export type IntentRecovery = ReturnType<typeof createIntentRecovery>;
