import {
  buildSuggestionsGenerated,
  type Counts,
  CountsSchema,
  DOMAIN_EVENTS,
  type Email,
  type EmailWithSuggestions,
  SAMPLED_EMAILS_LIMIT,
  type ScanError,
  ScanScopeSchema,
  type SuggestionsGeneratedEvent,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import {
  ACCESS_ERRORS,
  type EmailPage,
  FINAL_FAULTS,
  InvalidPageTokenError,
  MailboxError,
  type OpenMeteredMailbox,
} from '@mailsweep/mail/mailbox';
import type { OpenMessageStore } from '@mailsweep/mail/message-cache';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import type { LeasedWork } from '../due-work/due-work.repository.ts';
import type { StepOutcome } from '../due-work/run-step.ts';
import { isOwnMail } from '../emails/email-filters.ts';
import { readSentEmails, readSetAside } from '../protections/cached-protection.repository.ts';
import { listSuggestions, saveSuggestions } from '../suggestions/email-suggestion.repository.ts';
import { findOpenSuggestions, withholdSuggestions } from '../suggestions/suggest-actions.ts';
import { isWorthDeciding } from '../suggestions/suggestion-choice.ts';
import { beginSurvey, endSurvey, isSurveyDue } from '../survey/survey.repository.ts';
import { surveyMailbox } from '../survey/survey-mailbox.ts';
import {
  claimScan,
  recordStep,
  restartScan,
  type ScanRow,
  type ScanStepResult,
  stopScan,
} from './mailbox-scan.repository.ts';

/** What happens to scans, for metrics; each is reported once, even if a step is repeated. */
export type ScanEvent =
  | { type: 'page_read'; emails: number }
  | { type: 'waits'; reason: ScanError }
  | { type: 'ended'; outcome: 'completed' | ScanError };

/** Emails of one step: a page of the provider, and of the classification service. */
const PAGE_SIZE = 100;
/** Fewer emails in the first step: under Gmail's quota of 6,000 units a minute 100 take 20 seconds, 25 take five. */
const FIRST_PAGE_SIZE = 25;
/** Beside so many emails, as many of the newest sent ones are read; of a whole mailbox, the others come with the rest. */
const MAX_SENT = 1_000;
/** Smaller mailboxes are read as fast as surveyed. */
const MIN_SURVEYED = 500;
/** How often a scan may begin again after the provider has forgotten its page token. */
const MAX_RESTARTS = 1;
/** Most emails that the event of a scan names; its summary counts all. */
const EVENT_EMAILS_LIMIT = 100;

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
/** Pause before a mailbox that is away is tried again, when the provider names none. */
const MAILBOX_PAUSE_MS = 30 * SECOND_MS;
/** How long the scan retries a mailbox that is unavailable, and one that fails for an unknown reason. */
const OUTAGE_TIMEOUT_MS = 6 * 60 * MINUTE_MS;
const FAILURE_TIMEOUT_MS = 10 * MINUTE_MS;
/** Pause before the classification service is tried again, and how long in all before the scan goes on without. */
const CLASSIFICATION_PAUSE_MS = 15 * SECOND_MS;
const CLASSIFICATION_PATIENCE_MS = 5 * MINUTE_MS;

/** Errors after which the scan fails at once. */
const ENDING: readonly string[] = [...FINAL_FAULTS, 'reauth_required'];
/** Errors that are transient, or end once the operator has changed the configuration. */
const OUTAGES: readonly string[] = [
  'rate_limited',
  'mailbox_unavailable',
  'gmail_api_disabled',
  'provider_configuration',
];

/**
 * Takes one step of a scan (docs/decisions/030): reads a page of the mailbox, which caches its messages, has it
 * classified, and notes suggestions and progress in one transaction. A step that two processes take counts once, and
 * one whose process dies is taken again. The last step publishes the event, if it has found enough. The first step of a
 * whole mailbox surveys it.
 *
 * @param dependencies.publishThreshold - fewest suggestions of one scan that are worth an event
 * @param dependencies.observe - is notified of what happens
 */
export const createScanMailbox =
  (dependencies: {
    database: Database;
    openMeteredMailbox: OpenMeteredMailbox;
    openMessageStore: OpenMessageStore;
    mlClient: MlClient;
    nowMs?: () => number;
    logger: Logger;
    publishThreshold: number;
    observe?: (event: ScanEvent) => void;
  }) =>
  async ({ id: scanId }: Pick<LeasedWork, 'id'>, stopping: AbortSignal): Promise<StepOutcome> => {
    const { database, nowMs = Date.now, logger, observe = () => undefined } = dependencies;
    const scan = await claimScan(database, scanId);
    if (scan === null) return { kind: 'over' };
    const { userId } = scan;
    const sinceProgressMs = () => nowMs() - scan.progressedAt.getTime();
    const { mailbox, unitsUsed } = dependencies.openMeteredMailbox(userId, stopping);

    const scope = ScanScopeSchema.parse(scan.scope);
    let read: EmailPage;
    let known = scan.total;
    try {
      if (scope === 'all') {
        const due = await isSurveyDue(database, scan);
        if (due === 'new' && scan.pages === 0) known = await countEmails();
        const isWanted = due === 'again' || (due === 'new' && scan.pages === 0 && known > MIN_SURVEYED);
        if (isWanted) return await survey(known, due === 'again');
      }
      // A scan that begins again keeps one size, in case a page token is only valid with the size it was made for.
      const pageSize = scan.pages === 0 ? FIRST_PAGE_SIZE : PAGE_SIZE;
      read = await mailbox.listEmails({
        scope,
        pageSize,
        pageToken: scan.pageToken ?? undefined,
      });
      // After the newest email, with which the cache begins.
      if (scan.scanned < MAX_SENT) await readSentEmails(mailbox, { from: scan.scanned, count: pageSize });
      // Some of what is cached may have been snoozed since.
      if (scan.pageToken === null) await readSetAside(database, mailbox, userId);
      if (scan.pageToken === null && read.nextPageToken !== null && known === 0) known = await countEmails();
    } catch (error) {
      if (error instanceof InvalidPageTokenError) return await beginAgain();
      if (error instanceof MailboxError) return await handleMailboxError(error);
      throw error;
    }
    const candidates = read.emails.filter((email) => !isOwnMail(email.labels));
    const classified = await classify(candidates);
    if (classified === null && scan.unclassified === 0 && sinceProgressMs() < CLASSIFICATION_PATIENCE_MS) {
      return await wait('classification_unavailable', CLASSIFICATION_PAUSE_MS);
    }
    return await completeStep(read, candidates, classified);

    async function survey(total: number, isRepeated: boolean): Promise<StepOutcome> {
      const row = scan as ScanRow;
      const startedAt = await beginSurvey(database, row, { total, isRepeated });
      const opened = dependencies.openMeteredMailbox(userId, stopping, { isAwaited: true });
      const options = { ...opened, total, startedAt, isRepeated };
      const isInFlight = await surveyMailbox({ ...dependencies, nowMs }, row, options);
      return { kind: isInFlight ? 'next' : 'over' };
    }

    /** Number of emails to scan; 0 when the provider does not return it: the scan continues without. */
    async function countEmails(): Promise<number> {
      try {
        return await mailbox.countEmails(scope);
      } catch (error) {
        if (!(error instanceof MailboxError)) throw error;
        logger.warn({ scanId, userId, code: error.code }, 'the emails of a scan could not be counted');
        return 0;
      }
    }

    async function classify(emails: Email[]): Promise<EmailWithSuggestions[] | null> {
      return emails.length === 0 ? [] : findOpenSuggestions(dependencies, userId, emails, scanId);
    }

    async function beginAgain(): Promise<StepOutcome> {
      if (scan === null || scan.restarts >= MAX_RESTARTS) return await fail('failed');
      logger.warn({ scanId, userId }, 'the provider no longer knows the page of a scan; it begins again');
      await restartScan(database, scan, unitsUsed());
      return { kind: 'next' };
    }

    async function handleMailboxError(error: MailboxError): Promise<StepOutcome> {
      const { code, retryAfterMs } = error;
      if (ACCESS_ERRORS.has(code)) {
        logger.warn({ scanId, userId, code, err: error }, 'the mail provider refuses access to a mailbox');
      }
      if (ENDING.includes(code)) return await fail(code);
      const timeoutMs = OUTAGES.includes(code) ? OUTAGE_TIMEOUT_MS : FAILURE_TIMEOUT_MS;
      // The quota comes back within a day, and scans without progress for so long are given up elsewhere.
      const isDailyLimit = code === 'daily_limit_exceeded';
      if (!isDailyLimit && sinceProgressMs() > timeoutMs) return await fail(code);
      return await wait(code, retryAfterMs ?? MAILBOX_PAUSE_MS);
    }

    async function wait(reason: ScanError, waitMs: number): Promise<StepOutcome> {
      const stop = { state: 'waiting' as const, error: reason, unitsUsed: unitsUsed() };
      if (await stopScan(database, scan as ScanRow, stop)) observe({ type: 'waits', reason });
      return { kind: 'wait', waitMs, reason };
    }

    async function fail(reason: ScanError): Promise<StepOutcome> {
      logger.warn({ scanId, userId, reason }, 'a scan failed');
      const stop = { state: 'failed' as const, error: reason, unitsUsed: unitsUsed() };
      if (await stopScan(database, scan as ScanRow, stop)) observe({ type: 'ended', outcome: reason });
      return { kind: 'over' };
    }

    async function completeStep(
      { emails, nextPageToken }: EmailPage,
      asked: Email[],
      found: EmailWithSuggestions[] | null,
    ): Promise<StepOutcome> {
      const row = scan as ScanRow;
      const suggested = found ?? [];
      const shown = await withholdSuggestions(database, userId, suggested);
      const event = buildSuggestionsGenerated({ userId, emails: shown, generatedAt: new Date(nowMs()) });
      const scanned = row.scanned + emails.length;
      const isLast = nextPageToken === null;
      const result: ScanStepResult = {
        pageToken: nextPageToken,
        scanned,
        total: isLast ? scanned : known,
        suggested: row.suggested + countWorthDeciding(asked, shown),
        unclassified: row.unclassified + (found === null ? asked.length : 0),
        actionCounts: addCounts(row.actionCounts, event.summary.actionCounts),
        classificationCounts: addCounts(row.classificationCounts, event.summary.classificationCounts),
        sampledEmailIds: [...row.sampledEmailIds, ...event.suggestions.map(({ emailId }) => emailId)].slice(
          0,
          EVENT_EMAILS_LIMIT,
        ),
        unitsUsed: unitsUsed(),
        isLast,
      };
      const named = isLast ? await readSubjects(result.sampledEmailIds) : new Map<string, string>();
      const isNoted = await database.$transaction(async (tx) => {
        if (!(await recordStep(tx, row, result))) return false;
        await saveSuggestions(tx, userId, suggested, new Date(nowMs()));
        if (isLast) await publishSummary(tx, result, named);
        if (isLast && scope === 'all') await endSurvey(tx, userId);
        return true;
      });
      if (isNoted) observe({ type: 'page_read', emails: emails.length });
      if (isNoted && isLast) observe({ type: 'ended', outcome: 'completed' });
      return isLast ? { kind: 'over' } : { kind: 'next' };
    }

    async function readSubjects(ids: string[]): Promise<Map<string, string>> {
      const snapshot = await dependencies.openMessageStore(userId).readMessages(ids);
      return new Map([...(snapshot?.cached.values() ?? [])].map(({ id, facts }) => [id, facts.subject]));
    }

    /** Publishes what the whole scan has found, if it has found enough. */
    async function publishSummary(tx: Transaction, result: ScanStepResult, subjects: Map<string, string>) {
      const totalSuggestions = Object.values(result.actionCounts).reduce((sum, count) => sum + count, 0);
      if (totalSuggestions === 0 || totalSuggestions < dependencies.publishThreshold) return;
      const stored = await listSuggestions(tx, userId, result.sampledEmailIds);
      const sampled = result.sampledEmailIds.map((id) => ({ id, suggestions: stored.get(id) ?? [] }));
      const suggestions = (await withholdSuggestions(tx, userId, sampled))
        .filter((email) => email.suggestions.length > 0)
        .map((email) => ({
          emailId: email.id,
          subject: subjects.get(email.id) ?? '',
          suggestions: email.suggestions,
        }));
      const { actionCounts, classificationCounts } = result;
      const event: SuggestionsGeneratedEvent = {
        type: DOMAIN_EVENTS.SUGGESTIONS_GENERATED,
        userId,
        suggestions,
        summary: {
          totalSuggestions,
          actionCounts,
          classificationCounts,
          sampledEmails: suggestions.slice(0, SAMPLED_EMAILS_LIMIT),
        },
        generatedAt: new Date(nowMs()).toISOString(),
      };
      await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, event);
    }
  };

const countWorthDeciding = (asked: readonly Email[], shown: readonly EmailWithSuggestions[]): number => {
  const labelsOf = new Map(asked.map(({ id, labels }) => [id, labels]));
  return shown.filter(({ id, suggestions }) => isWorthDeciding(labelsOf.get(id) ?? [], suggestions)).length;
};

const addCounts = (earlier: unknown, more: Counts): Counts => {
  const sum = new Map(Object.entries(CountsSchema.parse(earlier)));
  for (const [name, count] of Object.entries(more)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries(sum);
};
