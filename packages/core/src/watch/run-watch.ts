import { type Email, type WatchError, WatchErrorSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type Mailbox, MailboxError, SYSTEM_LABELS } from '@mailsweep/mailbox';
import type { TextCipher } from '@mailsweep/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import { exponentialDelay, type Logger } from '@mailsweep/service-kit';
import { isOwnMail } from '../emails/own-mail.ts';
import { recordAlerts, recordEndedConnection } from '../notifications/record-notifications.ts';
import { makeRulesOfAnyAgeDue } from '../rules/rule-run.repository.ts';
import { findOpenSuggestions } from '../suggestions/open-suggestions.ts';
import { storeSuggestions, toNewSuggestions } from '../suggestions/store-suggestions.ts';
import { withholdSuggestions } from '../suggestions/withhold-suggestions.ts';
import { type LeasedWatch, pauseWatch, recordWatchRun } from './mailbox-watch.repository.ts';
import { type NewEmail, readNewEmail } from './read-new-email.ts';
import { nextWatchSlot } from './watch-slot.ts';

export const WATCH_OUTCOMES = ['done', 'ended', 'released', ...WatchErrorSchema.options] as const;
/** What came of a run of the watch; `ended`: the watch was disabled, or another process took over. */
export type WatchOutcome = (typeof WATCH_OUTCOMES)[number];

/** A run of the watch, for metrics and the log; without content. */
export interface WatchRun {
  outcome: WatchOutcome;
  newEmails: number;
  suggested: number;
}

const MINUTE_MS = 60_000;
/** Longest wait after errors that pass by themselves. */
const LONGEST_BACKOFF_MS = 60 * MINUTE_MS;
/** The slots are spread already. */
const NO_JITTER = [1, 1] as const;
/** Wait after errors that the user or the operator has to resolve. */
const RESOLVING_MS = 24 * 60 * MINUTE_MS;
/** Longest run, in milliseconds. */
const RUN_TIMEOUT_MS = 150_000;

/** Errors that waiting does not resolve; a sign-in may. */
const FINAL_FAULTS: readonly WatchError[] = [
  'missing_scope',
  'mail_service_disabled',
  'domain_policy',
  'forbidden',
];

/** A mailbox for one run, at background priority, and what the run has cost so far. */
export type OpenWatchMailbox = (
  userId: string,
  signal: AbortSignal,
) => { mailbox: Mailbox; unitsUsed: () => number };

/**
 * Takes one run of a watch (docs/decisions/045): reads what has arrived, has it classified, and stores suggestions and
 * cursor in one transaction. Whatever dies in between, the next run starts from the same cursor, so nothing is lost or
 * stored twice. Rules that are due are run after that, with the email that was found; where some was
 * found, those that take email of any age are due.
 *
 * @param dependencies.notificationCipher - encrypts what notifications tell
 * @param dependencies.minMinutes - fewest minutes between two runs, whatever the user chose
 * @param dependencies.publishThreshold - fewest suggestions of one run that are worth an event
 * @param dependencies.runDueRules - runs the rules of a user that are due; they stay due when it fails
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 * @param dependencies.stopping - aborted when the process stops: the run is left to another process
 */
export const createRunWatch =
  (dependencies: {
    database: Database;
    openWatchMailbox: OpenWatchMailbox;
    mlClient: MlClient;
    notificationCipher: TextCipher;
    logger: Logger;
    publishThreshold: number;
    minMinutes: number;
    runDueRules: (userId: string, mailbox: Mailbox) => Promise<number>;
    onEventRecorded: () => void;
    stopping: AbortSignal;
    nowMs?: () => number;
  }) =>
  async (watch: LeasedWatch): Promise<WatchRun> => {
    const { database, notificationCipher, logger, stopping, nowMs = Date.now } = dependencies;
    const { userId, leaseId: runId } = watch;
    const everyMinutes = Math.max(watch.everyMinutes, dependencies.minMinutes);
    const startedMs = nowMs();
    // A process whose clock is slow would otherwise find its watches due again at once.
    const databaseNowMs = () => watch.readNow.getTime() + nowMs() - startedMs;
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(RUN_TIMEOUT_MS)]);
    const { mailbox, unitsUsed } = dependencies.openWatchMailbox(userId, signal);

    const run = await takeRun();
    const rules = run.outcome === 'done' ? await runRules() : 0;
    const line = { userId, runId, ...run, rules, units: unitsUsed(), durationMs: nowMs() - startedMs };
    const isQuiet = rules === 0 && run.newEmails === 0 && ['done', 'ended', 'released'].includes(run.outcome);
    logger[isQuiet ? 'debug' : 'info'](line, 'checked a mailbox for new email');
    return run;

    async function takeRun(): Promise<WatchRun> {
      try {
        const news = await readNewEmail(mailbox, watch, startedMs);
        const emails = (await mailbox.findEmails(news.emailIds)).filter(isNewInInbox);
        const classified =
          emails.length === 0 ? [] : await findOpenSuggestions(dependencies, userId, emails, runId);
        if (classified === null) return await wait('classification_unavailable');
        return await complete(news, classified);
      } catch (error) {
        return await handleError(error);
      }
    }

    async function complete(
      { hasMore, cursor }: NewEmail,
      emails: NonNullable<Awaited<ReturnType<typeof findOpenSuggestions>>>,
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
      const dueAt = hasMore
        ? new Date(databaseNowMs())
        : nextWatchSlot(userId, everyMinutes, databaseNowMs());
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
        if (FINAL_FAULTS.includes(error.code)) {
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
