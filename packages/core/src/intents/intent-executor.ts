import type { MailboxFault } from '@mailsweep/contracts';
import { type Database, isDatabaseUnavailable } from '@mailsweep/database';
import {
  ChangePendingError,
  type LabelChangeOutcome,
  MailboxError,
  type OpenMailbox,
} from '@mailsweep/mail/mailbox';
import type { Logger } from '@mailsweep/service-kit';
import { onBehalfOf } from '@mailsweep/service-kit/outgoing-calls';
import {
  createMailboxLock,
  MailboxBusyError,
  type MailboxLease,
} from '../concurrency/mailbox-lock.repository.ts';
import {
  type ActionIntent,
  claimAbandonedIntents,
  type FoundIntent,
  insertActionIntent,
  listOpenIntents,
  releaseIntents,
  renewLeases,
} from './action-intent.repository.ts';
import { type IntendedChanges, IntendedChangesSchema, toRequestedChanges } from './intended-changes.ts';
import {
  type IntentOutcomes,
  narrowChanges,
  type RecordOutcomes,
  toIntentOutcomes,
} from './record-outcomes.ts';

/** How often pending intents are looked for, in milliseconds; far below the lease of an intent. */
const RECOVERY_INTERVAL_MS = 5_000;
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
  recordOutcomes: RecordOutcomes;
  nowMs?: () => number;
  logger: Logger;
  recoveryIntervalMs?: number;
}): IntentExecutor => {
  const { database, openMailbox, recordOutcomes, nowMs = Date.now, logger } = dependencies;
  const mailboxLock = createMailboxLock({ database, logger });
  const { recoverAbandoned, recoverEarlier } = createIntentRecovery(dependencies);
  /** Intents that this process is carrying out. */
  const inFlight = new Set<string>();
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
      const code = isDatabaseUnavailable(error) ? 'mailbox_unavailable' : 'failed';
      const mailboxError =
        error instanceof MailboxError ? error : new MailboxError(code, 'unexpected', { cause: error });
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
      await onBehalfOf(userId, () => recoverAllAbandoned(userId, intents));
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

/** Age at which an intent is given up if its mailbox cannot be read, in milliseconds: 7 days. */
const GIVE_UP_AFTER_MS = 7 * 24 * 60 * 60 * 1_000;

/** Selects items of intents. */
type ItemFilter = (item: IntendedChanges['items'][number]) => boolean;

/** An earlier change that is still pending: unknown whether it was made, or which labels it changed. */
interface UnknownChange {
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
const createIntentRecovery = (dependencies: {
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
