import type { MailboxFault } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { ChangePendingError, type LabelChangeOutcome, type OpenMailbox } from '@mailsweep/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import { type ActionIntent, type FoundIntent, listOpenIntents } from './action-intent.repository.ts';
import { type IntendedChanges, IntendedChangesSchema, toRequestedChanges } from './intended-changes.ts';
import {
  type IntentOutcomes,
  narrowChanges,
  type RecordOutcomes,
  toIntentOutcomes,
} from './record-outcomes.ts';

/** Age at which an intent is given up if its mailbox cannot be read, in milliseconds: 7 days. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** Selects items of intents. */
export type ItemFilter = (item: IntendedChanges['items'][number]) => boolean;

/** An earlier change that is still pending: unknown whether it was made, or which labels it changed. */
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
 * Finds out from the mailbox which changes of an intent were made, and records those. The caller must hold the lease of
 * the mailbox: otherwise a change by another request could be mistaken for one of the intent.
 */
export const createIntentRecovery = (dependencies: {
  database: Database;
  openMailbox: OpenMailbox;
  recordOutcomes: RecordOutcomes;
  nowMs?: () => number;
  logger: Logger;
}) => {
  const { database, openMailbox, recordOutcomes, nowMs = Date.now, logger } = dependencies;

  const ageMsOf = ({ requestedAt }: ActionIntent) => nowMs() - requestedAt.getTime();

  const findOutcomes = (intent: ActionIntent, changes: IntendedChanges) =>
    openMailbox(intent.userId).findChanges(
      toRequestedChanges(changes),
      changes.mailboxHistoryId,
      ageMsOf(intent),
    );

  /** Recovers an intent of a dead process, as far as the mailbox can be read. */
  const recoverAbandoned = async (found: FoundIntent): Promise<void> => {
    const intent: ActionIntent = { ...found, changes: IntendedChangesSchema.parse(found.changes) };
    const { done, unsure } = toIntentOutcomes(intent.changes, await findOutcomes(intent, intent.changes));
    const isHopeless = ageMsOf(intent) > GIVE_UP_AFTER_MS;
    const givesUp = isHopeless && unsure.size > 0;
    if (givesUp) {
      logger.error(
        { intentId: intent.id, items: unsure.size },
        'gave up finding out what became of mailbox changes',
      );
    }
    await recordOutcomes(intent, { done, unsure: givesUp ? new Map() : unsure });
  };

  /**
   * Records the selected items of a user's pending intents before the same emails are changed again: afterwards the
   * earlier change could not be told from the new one. Changes that were not made are dropped.
   *
   * @param isKnown - whether this process knows the outcomes of an intent itself
   * @returns the selected items that are still pending
   */
  const recoverEarlier = async (
    userId: string,
    isSelected: ItemFilter,
    isKnown: (intentId: string) => boolean,
  ): Promise<UnknownChange[]> => {
    const unknown: UnknownChange[] = [];
    for (const found of await listOpenIntents(database, userId)) {
      if (isKnown(found.id)) continue;
      const intent: ActionIntent = { ...found, changes: IntendedChangesSchema.parse(found.changes) };
      const { items } = intent.changes;
      const selected = new Set(items.filter(isSelected).map(({ recordId }) => recordId));
      if (selected.size === 0) continue;
      const changes = narrowChanges(intent.changes, (id) => (selected.has(id) ? {} : undefined));
      const outcomes = await findOutcomes(intent, changes);
      for (const [index, { recordId, emailId }] of changes.items.entries()) {
        const reason = whyUnknown(outcomes[index]);
        if (reason) unknown.push({ recordId, emailId, reason });
      }
      await recordPart(intent, toIntentOutcomes(changes, outcomes), selected);
    }
    return unknown;
  };

  /** Records some items of an intent; the others stay pending. */
  const recordPart = async (
    intent: ActionIntent,
    { done, unsure }: IntentOutcomes,
    selected: ReadonlySet<string>,
  ): Promise<void> => {
    const others = intent.changes.items.filter(({ recordId }) => !selected.has(recordId));
    const open = others.map(({ recordId }) => [recordId, { isDone: false }] as const);
    try {
      await recordOutcomes(intent, { done, unsure: new Map([...unsure, ...open]) });
    } catch (error) {
      logger.error({ err: error, intentId: intent.id }, 'an earlier mailbox change could not be recorded');
    }
  };

  return { recoverAbandoned, recoverEarlier };
};
