import { buildSuggestionsConfirmed, ConfirmActionSchema, DOMAIN_EVENTS } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import { insertActionHistory, markUndone } from './action-history.repository.ts';
import { type ActionIntent, deleteIntent, lockIntent, replacePlan } from './action-intent.repository.ts';
import { type ActionPlan, toHistoryRecord } from './action-plan.ts';
import type { Clock } from './dependencies.ts';

/** What is known of a plan's items after the mailbox was asked. */
export interface Settlement {
  /** Record ids of the items that happened. */
  done: ReadonlySet<string>;
  /** Record ids of the items of which nobody knows yet: the answer got lost. */
  unsure: ReadonlySet<string>;
}

/**
 * Writes down what happened, in one transaction: history rows (or undo marks), the domain event that tells
 * of them, and the end of the intent. Doing it twice writes nothing twice.
 *
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 */
export const createRecordSettlement =
  (dependencies: { database: Database; clock: Clock; onEventRecorded: () => void }) =>
  async (intent: ActionIntent, settlement: Settlement): Promise<void> => {
    const done = narrowPlan(intent.plan, settlement.done);
    const unsure = narrowPlan(intent.plan, settlement.unsure);

    const hasEvent = await dependencies.database.$transaction(async (tx) => {
      if (!(await lockIntent(tx, intent.id))) return false;
      if (unsure.items.length > 0) await replacePlan(tx, intent.id, unsure);
      else await deleteIntent(tx, intent.id);
      return writeDown(tx, intent, done);
    });
    if (hasEvent) dependencies.onEventRecorded();

    /** @returns whether an event was published */
    async function writeDown(tx: Transaction, { userId, requestedAt }: ActionIntent, plan: ActionPlan) {
      if (plan.items.length === 0) return false;
      if (plan.kind === 'undo') {
        const recordIds = plan.items.map((item) => item.recordId);
        await markUndone(tx, userId, recordIds, requestedAt);
        return false;
      }
      const records = plan.items.map((item) => toHistoryRecord(userId, plan, item, requestedAt));
      const emailIds = await insertActionHistory(tx, records);
      if (plan.source !== 'suggestions' || emailIds.length === 0) return false;
      const event = buildSuggestionsConfirmed({
        userId,
        action: ConfirmActionSchema.parse(plan.action),
        emailIds,
        generatedAt: dependencies.clock(),
      });
      await publish(tx, DOMAIN_EVENTS.SUGGESTION_CONFIRMED, event);
      return true;
    }
  };

const narrowPlan = (plan: ActionPlan, recordIds: ReadonlySet<string>): ActionPlan =>
  plan.kind === 'act'
    ? { ...plan, items: plan.items.filter((item) => recordIds.has(item.recordId)) }
    : { ...plan, items: plan.items.filter((item) => recordIds.has(item.recordId)) };
