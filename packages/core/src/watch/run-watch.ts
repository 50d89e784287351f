import { type Email, type WatchError, WatchErrorSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import {
  FINAL_FAULTS,
  type Mailbox,
  MailboxError,
  type OpenMeteredMailbox,
  SYSTEM_LABELS,
} from '@mailsweep/mail/mailbox';
import type { TextCipher } from '@mailsweep/mail/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import { exponentialDelay, type Logger } from '@mailsweep/service-kit';
import { isOwnMail } from '../emails/email-filters.ts';
import { recordAlerts, recordEndedConnection } from '../notifications/record-notifications.ts';
import { readSentEmails, readSetAside } from '../protections/cached-protection.repository.ts';
import { makeRulesOfAnyAgeDue } from '../rules/rule-run.repository.ts';
import {
  findOpenSuggestions,
  storeSuggestions,
  toNewSuggestions,
  withholdSuggestions,
} from '../suggestions/suggest-actions.ts';
import { type LeasedWatch, pauseWatch, recordWatchRun, type WatchRow } from './mailbox-watch.repository.ts';
import { nextWatchSlot } from './watch-slot.ts';

export const WATCH_OUTCOMES = ['done', 'ended', 'released', ...WatchErrorSchema.options] as const;
/** What came of a run of the watch; `ended`: the watch was disabled, or another process took over. */
type WatchOutcome = (typeof WATCH_OUTCOMES)[number];

/** A run of the watch, for metrics and the log; without content. */
export interface WatchRun {
  outcome: WatchOutcome;
  newEmails: number;
  suggested: number;
}

const MINUTE_MS = 60_000;
const LONGEST_BACKOFF_MS = 60 * MINUTE_MS;
/** The slots are spread already. */
const NO_JITTER = [1, 1] as const;
/** Wait after errors that the user or the operator has to resolve. */
const RESOLVING_MS = 24 * 60 * MINUTE_MS;
/** Wait before email is looked for again that arrived and could not be read. */
const MISSING_WAIT_MS = MINUTE_MS / 2;
const MIN_MINUTES = 5;
const RUN_TIMEOUT_MS = 150_000;

/** Errors that a sign-in may resolve. */
const ENDING: readonly WatchError[] = FINAL_FAULTS;

/**
 * Takes one run of a watch (docs/decisions/045): reads what has arrived, has it classified, and stores suggestions and
 * cursor in one transaction. Whatever dies in between, the next run starts from the same cursor, so nothing is lost or
 * stored twice. Due rules run after that on the email found; new email makes rules for email of any age due.
 *
 * @param dependencies.notificationCipher - encrypts what notifications tell
 * @param dependencies.publishThreshold - fewest suggestions of one run that are worth an event
 * @param dependencies.runDueRules - runs the rules of a user that are due; they stay due when it fails
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 * @param stopping - aborted when the process stops: the run is left to another process
 */
export const createRunWatch =
  (dependencies: {
    database: Database;
    openMeteredMailbox: OpenMeteredMailbox;
    mlClient: MlClient;
    notificationCipher: TextCipher;
    logger: Logger;
    publishThreshold: number;
    runDueRules: (userId: string, mailbox: Mailbox) => Promise<number>;
    onEventRecorded: () => void;
    nowMs?: () => number;
  }) =>
  async (watch: LeasedWatch, stopping: AbortSignal): Promise<WatchRun> => {
    const { database, notificationCipher, logger, nowMs = Date.now } = dependencies;
    const { userId, leaseId: runId } = watch;
    const everyMinutes = Math.max(watch.everyMinutes, MIN_MINUTES);
    const startedMs = nowMs();
    // A process whose clock is slow would otherwise find its watches due again at once.
    const databaseNowMs = () => watch.readNow.getTime() + nowMs() - startedMs;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(RUN_TIMEOUT_MS)]);
    const { mailbox, unitsUsed } = dependencies.openMeteredMailbox(userId, signal);

    const run = await takeRun();
    const rules = run.outcome === 'done' ? await runRules() : 0;
    const line = { userId, runId, ...run, rules, units: unitsUsed(), durationMs: nowMs() - startedMs };
    const isQuiet = rules === 0 && run.newEmails === 0 && ['done', 'ended', 'released'].includes(run.outcome);
    logger[isQuiet ? 'debug' : 'info'](line, 'checked a mailbox for new email');
    return run;

    async function takeRun(): Promise<WatchRun> {
      try {
        const news = await readNewEmail(mailbox, watch, startedMs);
        // To the history, snoozing an email is nothing but taking it out of the inbox.
        if (news.hasMoved) await readSetAside(database, mailbox, userId);
        if (news.sentAfter) {
          await readSentEmails(mailbox, { count: MAX_RUN_EMAILS, receivedAfter: news.sentAfter });
        }
        const read = await mailbox.findEmails(news.emailIds);
        const missing = new Set(news.emailIds).difference(new Set(read.map(({ id }) => id)));
        const emails = read.filter(isNewInInbox);
        const classified =
          emails.length === 0 ? [] : await findOpenSuggestions(dependencies, userId, emails, runId);
        if (classified === null) return await wait('classification_unavailable');
        return await complete(lookAgainFor(news, missing), classified, missing.size > 0);
      } catch (error) {
        return await handleError(error);
      }
    }

    async function complete(
      { hasMore, cursor }: NewEmail,
      emails: NonNullable<Awaited<ReturnType<typeof findOpenSuggestions>>>,
      isMissingSome: boolean,
    ): Promise<WatchRun> {
      const found = toNewSuggestions(
        userId,
        {
          suggested: emails,
          shown: emails.length > 0 ? await withholdSuggestions(database, userId, emails) : [],
        },
        new Date(nowMs()),
        dependencies.publishThreshold,
      );
      const counts = { newEmails: emails.length, suggested: found.event.suggestions.length };
      const nextSlot = nextWatchSlot(userId, everyMinutes, databaseNowMs());
      const soonest = new Date(databaseNowMs() + (hasMore ? 0 : MISSING_WAIT_MS));
      const dueAt = (hasMore || isMissingSome) && soonest < nextSlot ? soonest : nextSlot;
      const isRecorded = await database.$transaction(async (tx) => {
        if (!(await recordWatchRun(tx, watch, { dueAt, cursor, ...counts }))) return false;
        if (emails.length === 0) return true;
        await storeSuggestions(tx, found);
        await makeRulesOfAnyAgeDue(tx, userId, new Date(nowMs()));
        await recordAlerts(tx, notificationCipher, { userId, emails, nowMs: nowMs() });
        return true;
      });
      if (!isRecorded) return toRun('ended');
      if (found.isWorthAnEvent) dependencies.onEventRecorded();
      return { outcome: 'done', ...counts };
    }

    /** The check is recorded: whatever happens to the rules, it counts. */
    async function runRules(): Promise<number> {
      try {
        return await dependencies.runDueRules(userId, mailbox);
      } catch (error) {
        if (!signal.aborted) logger.error({ userId, runId, err: error }, 'rules could not be run');
        return 0;
      }
    }

    async function handleError(error: unknown): Promise<WatchRun> {
      if (stopping.aborted) return toRun('released');
      if (error instanceof MailboxError) {
        if (error.code === 'reauth_required') return await stop(error.code, 'reconnect_required', null);
        if (ENDING.includes(error.code)) {
          return await stop(error.code, 'waiting', new Date(databaseNowMs() + RESOLVING_MS));
        }
        return await wait(error.code, error.retryAfterMs);
      }
      if (signal.aborted) return await wait('mailbox_unavailable');
      logger.error({ userId, runId, err: error }, 'a run of the watch failed');
      return await wait('failed');
    }

    async function wait(error: WatchError, retryAfterMs = 0): Promise<WatchRun> {
      const intervalMs = everyMinutes * MINUTE_MS;
      // None, one, three, … intervals: retries are in the next slot, the second, the fourth, …
      const longestMs = LONGEST_BACKOFF_MS + intervalMs;
      const retryDelayMs = exponentialDelay({ firstMs: intervalMs, longestMs, jitter: NO_JITTER });
      const backoffMs = retryDelayMs(watch.failures + 1) - intervalMs;
      const dueAt = nextWatchSlot(userId, everyMinutes, databaseNowMs() + Math.max(retryAfterMs, backoffMs));
      const isPaused = await pauseWatch(database, watch, {
        state: 'waiting',
        error,
        dueAt,
        isStopped: false,
      });
      return toRun(isPaused ? error : 'ended');
    }

    async function stop(
      error: WatchError,
      state: 'waiting' | 'reconnect_required',
      dueAt: Date | null,
    ): Promise<WatchRun> {
      const isPaused = await database.$transaction(async (tx) => {
        if (!(await pauseWatch(tx, watch, { state, error, dueAt, isStopped: true }))) return false;
        if (state === 'reconnect_required') {
          await recordEndedConnection(tx, notificationCipher, userId, nowMs());
        }
        return true;
      });
      return toRun(isPaused ? error : 'ended');
    }
  };

const toRun = (outcome: WatchRun['outcome']): WatchRun => ({ outcome, newEmails: 0, suggested: 0 });

/** It may have left the inbox since it arrived. */
const isNewInInbox = ({ labels }: Email): boolean =>
  labels.includes(SYSTEM_LABELS.inbox) && !isOwnMail(labels);

/** Most emails of one run; the next run, which is due at once, takes more. */
const MAX_RUN_EMAILS = 100;
/** Most emails that are listed where the history is gone; more have not been missed within its life of about a week. */
const MAX_LISTED = 5_000;
/** How much earlier than the last read a list begins, in milliseconds: clocks differ, and email is delayed. */
const LIST_OVERLAP_MS = 2 * 60_000;

type Cursor = Pick<WatchRow, 'historyId' | 'overlapHistoryId' | 'seenEmailIds' | 'readAt'>;

/** The new emails of one run, and where the next one goes on once they are done. */
interface NewEmail {
  /** Emails that arrived in the inbox and that no run has taken, in the order of their arrival. */
  emailIds: string[];
  hasMore: boolean;
  /** Whether emails that had been there may have left the inbox or come back. */
  hasMoved: boolean;
  /** Since when the user may have sent emails. */
  sentAfter: Date | undefined;
  cursor: Cursor;
}

/**
 * Finds what has arrived in the inbox since the last run: 2 quota units when nothing happened. The history is read from
 * where the run before the last one stood, because Gmail shows some records late (docs/decisions/036). Where Gmail no
 * longer has it, the emails received since are listed. The first run finds nothing: it only notes where it stands.
 *
 * @throws {MailboxError}
 */
const readNewEmail = async (mailbox: Mailbox, watch: Cursor, nowMs: number): Promise<NewEmail> => {
  const readAt = new Date(nowMs);
  if (watch.historyId === null || watch.readAt === null) {
    const historyId = await mailbox.readHistoryId();
    return {
      emailIds: [],
      hasMore: false,
      hasMoved: false,
      sentAfter: undefined,
      cursor: { historyId, overlapHistoryId: historyId, seenEmailIds: [], readAt },
    };
  }
  const changes = await mailbox.readChangesSince(watch.overlapHistoryId ?? watch.historyId);
  const arrived = changes
    ? { ids: changes.arrivedIds, historyId: changes.historyId, overlapHistoryId: watch.historyId }
    : await listArrived(mailbox, watch.readAt);

  const arrivedIds = new Set(arrived.ids);
  const hasMoved = [...(changes?.messages ?? [])].some(
    ([id, { added, removed }]) =>
      removed.has(SYSTEM_LABELS.inbox) || (added.has(SYSTEM_LABELS.inbox) && !arrivedIds.has(id)),
  );
  const seen = new Set(watch.seenEmailIds);
  const unseen = arrived.ids.filter((id) => !seen.has(id));
  const emailIds = unseen.slice(0, MAX_RUN_EMAILS);
  const hasMore = unseen.length > emailIds.length;
  // With more to take, the same stretch is read again, without those that are done.
  const cursor = hasMore
    ? { ...watch, seenEmailIds: [...seen, ...emailIds] }
    : {
        historyId: arrived.historyId,
        overlapHistoryId: arrived.overlapHistoryId,
        seenEmailIds: [...arrived.ids],
        readAt,
      };
  const hasSent = changes === undefined || changes.answeredThreads.size > 0;
  return {
    emailIds,
    hasMore,
    hasMoved: changes === undefined || hasMoved,
    sentAfter: hasSent ? new Date(watch.readAt.getTime() - LIST_OVERLAP_MS) : undefined,
    cursor: pickCursor(cursor),
  };
};

/**
 * The same, where some of the emails could not be read: Gmail may respond with 404 for seconds after an email has arrived.
 * The next run reads the same stretch of the history once more and looks for them again; after that they are gone.
 */
const lookAgainFor = (news: NewEmail, missing: ReadonlySet<string>): NewEmail => {
  // A stretch with more to take is read again at once, and would never end.
  if (news.hasMore) return news;
  const seenEmailIds = news.cursor.seenEmailIds.filter((id) => !missing.has(id));
  return { ...news, cursor: { ...news.cursor, seenEmailIds } };
};

const pickCursor = ({ historyId, overlapHistoryId, seenEmailIds, readAt }: Cursor): Cursor => ({
  historyId,
  overlapHistoryId,
  seenEmailIds,
  readAt,
});

/** The history begins before the list, so that nothing falls in between. */
const listArrived = async (mailbox: Mailbox, readAt: Date) => {
  const historyId = await mailbox.readHistoryId();
  const receivedAfter = new Date(readAt.getTime() - LIST_OVERLAP_MS);
  const { emails } = await mailbox.listEmailIds({ scope: 'inbox', receivedAfter }, MAX_LISTED);
  return { ids: emails.map(({ id }) => id).toReversed(), historyId, overlapHistoryId: historyId };
};
