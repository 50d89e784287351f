import { buildSuggestionsConfirmed, DOMAIN_EVENTS } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import type { AppliedLabelChange, LabelChangeOutcome } from '@mailsweep/mail/mailbox';
import { noteDoneUnderKey } from '../concurrency/idempotency.repository.ts';
import { insertActionHistory, markUndone } from '../history/action-history.repository.ts';
import { pauseRules, type RuleCiphers } from '../rules/pause-rules.repository.ts';
import { type ActionIntent, deleteIntent, lockIntent, replaceChanges } from './action-intent.repository.ts';
import { type IntendedChanges, isRepetition, toHistoryRecord } from './intended-changes.ts';

/** What is known of the items of an intent after the mailbox was changed. */
export interface IntentOutcomes {
  /** The applied changes, by record id. */
  done: ReadonlyMap<string, AppliedLabelChange>;
  /** The pending items, by record id: `isDone` when the change was made, but not yet which labels it changed. */
  unsure: ReadonlyMap<string, { isDone: boolean }>;
}

/** Sorts the outcomes of intended changes, in their order, by whether they can be recorded. */
export const toIntentOutcomes = (
  changes: IntendedChanges,
  outcomes: LabelChangeOutcome[],
): IntentOutcomes => {
  const done = new Map<string, AppliedLabelChange>();
  const unsure = new Map<string, { isDone: boolean }>();
  for (const [index, { recordId }] of changes.items.entries()) {
    const outcome = outcomes[index];
    if (outcome?.status === 'ok') {
      if (outcome.change) done.set(recordId, { change: outcome.change, historyId: outcome.historyId });
      else unsure.set(recordId, { isDone: true });
    } else if (outcome === undefined || outcome.isUnsure) unsure.set(recordId, { isDone: false });
  }
  return { done, unsure };
};

/**
 * Records the outcomes of an intent in one transaction: writes history rows (or undo marks) and the domain event, and
 * deletes the intent. Repeating it writes nothing twice.
 *
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 */
export const createRecordOutcomes =
  ({
    database,
    nowMs = Date.now,
    onEventRecorded,
    ...ciphers
  }: RuleCiphers & {
    database: Database;
    nowMs?: () => number;
    onEventRecorded: () => void;
  }) =>
  async (intent: ActionIntent, outcomes: IntentOutcomes): Promise<void> => {
    const done = narrowChanges(intent.changes, (id) => (outcomes.done.has(id) ? {} : undefined));
    const unsure = narrowChanges(intent.changes, (id) => outcomes.unsure.get(id));

    const hasEvent = await database.$transaction(async (tx) => {
      if (!(await lockIntent(tx, intent.id))) return false;
      if (unsure.items.length > 0) await replaceChanges(tx, intent.id, unsure);
      else await deleteIntent(tx, intent.id);
      if (intent.idempotencyKey !== null && done.items.length > 0) {
        const entries = done.items.map((item) => toDoneEntry(intent, done.kind, item));
        await noteDoneUnderKey(tx, { userId: intent.userId, key: intent.idempotencyKey }, entries);
      }
      return insertRecords(tx, intent, done);
    });
    if (hasEvent) onEventRecorded();

    /** @returns whether an event was published */
    async function insertRecords(
      tx: Transaction,
      { userId, requestedAt }: ActionIntent,
      changes: IntendedChanges,
    ) {
      if (changes.items.length === 0) return false;
      if (changes.kind === 'undo') {
        const recordIds = changes.items.map((item) => item.recordId);
        await markUndone(tx, userId, recordIds, requestedAt);
        await pauseRules(tx, ciphers, { userId, recordIds, undoneAt: requestedAt, nowMs: nowMs() });
        return false;
      }
      const records = changes.items.flatMap((item) => {
        const applied = outcomes.done.get(item.recordId);
        if (!applied) return [];
        const { senderId } = item;
        return {
          ...toHistoryRecord(userId, changes, item, applied, requestedAt),
          ...(senderId && { senderId }),
        };
      });
      const inserted = new Set(await insertActionHistory(tx, records));
      if (changes.source !== 'suggestions') return false;
      const emailIds = changes.items
        .filter((item) => {
          const applied = outcomes.done.get(item.recordId);
          return inserted.has(item.emailId) && applied && !isRepetition(item, applied);
        })
        .map(({ emailId }) => emailId);
      if (emailIds.length === 0) return false;
      const event = buildSuggestionsConfirmed({
        userId,
        // Whatever the user chose instead of the suggested action, the suggestion was not rejected.
        action: changes.action === 'reject' ? 'reject' : 'accept',
        emailIds,
        generatedAt: new Date(nowMs()),
      });
      await publish(tx, DOMAIN_EVENTS.SUGGESTION_CONFIRMED, event);
      return true;
    }
  };

/** What a retry with the same key needs of an item: its record id, or when it was undone. */
const toDoneEntry = (
  { requestedAt }: ActionIntent,
  kind: IntendedChanges['kind'],
  { emailId, recordId }: IntendedChanges['items'][number],
): [string, string] => (kind === 'act' ? [emailId, recordId] : [recordId, requestedAt.toISOString()]);

export type RecordOutcomes = ReturnType<typeof createRecordOutcomes>;

/** What is known of an item; undefined removes it. */
type KnowledgeOf = (recordId: string) => { isDone?: boolean } | undefined;

/** The changes with only the items for which `knowledgeOf` returns something. */
export const narrowChanges = (changes: IntendedChanges, knowledgeOf: KnowledgeOf): IntendedChanges =>
  changes.kind === 'act'
    ? { ...changes, items: narrowItems(changes.items, knowledgeOf) }
    : { ...changes, items: narrowItems(changes.items, knowledgeOf) };

const narrowItems = <Item extends { recordId: string }>(
  items: readonly Item[],
  knowledgeOf: KnowledgeOf,
): Item[] =>
  items.flatMap((item) => {
    const knowledge = knowledgeOf(item.recordId);
    return knowledge ? { ...item, ...(knowledge.isDone ? { isDone: true } : {}) } : [];
  });
