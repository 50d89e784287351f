import {
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  type Email,
  type EmailWithSuggestions,
  type ListSuggestionsQuery,
  type ListSuggestionsResponse,
  MlRequestItemSchema,
  type Suggestion,
  type SuggestionsGeneratedEvent,
  UnclassifiedEmailSchema,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import { type MlClient, MlUnavailableError } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { listConfirmedSuggestions } from '../history/action-history.repository.ts';
import { withholdStopped } from '../learning/stopped-suggestion.repository.ts';
import { listBoundPage } from '../page-token.ts';
import { listCachedReasons, markDiscussions } from '../protections/cached-protection.repository.ts';
import { isNoticed, withoutClearing } from '../protections/why-protected.ts';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { byConfidence, isSameSuggestion } from './suggestion-choice.ts';

/** What classification services call newsletters; the fields that they get do not tell discussions apart. */
const NEWSLETTERS: ReadonlySet<string> = new Set(['bulk', 'newsletter']);

/**
 * Asks the classification service what it suggests for emails, and leaves out what the user has confirmed before.
 *
 * @returns the emails with their suggestions, best first; null while the service is unavailable
 */
export const findOpenSuggestions = async (
  dependencies: { database: Database; mlClient: MlClient; logger: Logger },
  userId: string,
  emails: Email[],
  requestId: string,
): Promise<EmailWithSuggestions[] | null> => {
  const emailIds = emails.map((email) => email.id);
  const [suggested, confirmed, marked] = await Promise.all([
    classify(dependencies, userId, emails, requestId),
    listConfirmedSuggestions(dependencies.database, userId, emailIds),
    markDiscussions(dependencies.database, userId, emails),
  ]);
  if (suggested === null) return null;
  return marked.map((email) => {
    if (email.isSenderUnclear) return { ...MlRequestItemSchema.parse(email), suggestions: [] };
    const isConfirmed = (suggestion: Suggestion) =>
      (confirmed.get(email.id) ?? []).some((earlier) => isSameSuggestion(earlier, suggestion));
    const isForOthers = ({ classification }: Suggestion) =>
      email.isDiscussion === true && NEWSLETTERS.has(classification);
    const open = (suggested.get(email.id) ?? []).filter(
      (suggestion) => !isConfirmed(suggestion) && !isForOthers(suggestion),
    );
    return { ...MlRequestItemSchema.parse(email), suggestions: open.toSorted(byConfidence) };
  });
};

const classify = async (
  { mlClient, logger }: { mlClient: MlClient; logger: Logger },
  userId: string,
  emails: Email[],
  requestId: string,
): Promise<Map<string, Suggestion[]> | null> => {
  try {
    return await mlClient.suggest(emails, { userId, requestId });
  } catch (error) {
    if (!(error instanceof MlUnavailableError)) throw error;
    // An open circuit breaker is logged once, when it opens.
    const level = error.code === 'ml_circuit_open' ? 'debug' : 'warn';
    logger[level]({ err: error, requestId }, 'the classification service is unavailable');
    return null;
  }
};

/**
 * Leaves out suggestions that would clear protected emails away, and those stopped after many rejections.
 */
export const withholdSuggestions = async <T extends { id: string; suggestions: Suggestion[] }>(
  database: Database | Transaction,
  userId: string,
  emails: readonly T[],
): Promise<T[]> => {
  const ids = emails.map(({ id }) => id);
  const reasons = await listCachedReasons(database, userId, ids);
  const unprotected = emails.map((email) =>
    reasons.has(email.id) || isNoticed(email.suggestions)
      ? { ...email, suggestions: withoutClearing(email.suggestions) }
      : email,
  );
  return withholdStopped(database, userId, unprotected);
};

/**
 * Lists recent emails with what the classification service suggests for them. Suggestions that the user
 * has confirmed before are left out. Where the service is unavailable the emails come without suggestions.
 *
 * @param dependencies.publishThreshold - fewest suggestions of one request that are worth an event
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 */
export const createSuggestActions =
  (dependencies: {
    database: Database;
    openMailbox: OpenMailbox;
    mlClient: MlClient;
    nowMs?: () => number;
    logger: Logger;
    publishThreshold: number;
    onEventRecorded: () => void;
  }) =>
  async (
    userId: string,
    query: ListSuggestionsQuery,
    requestId: string,
  ): Promise<ListSuggestionsResponse> => {
    const { database, nowMs = Date.now } = dependencies;
    const mailbox = dependencies.openMailbox(userId);
    const page = await listBoundPage(query, (list, pageToken) => mailbox.listEmails({ ...list, pageToken }));

    const emails = await findOpenSuggestions(dependencies, userId, page.emails, requestId);
    if (emails === null) {
      return {
        emails: page.emails.map((email) => UnclassifiedEmailSchema.parse({ ...email, suggestions: [] })),
        classified: false,
        nextPageToken: page.nextPageToken,
      };
    }
    const shown = await withholdSuggestions(database, userId, emails);
    await remember(emails, shown);
    return { emails: shown, classified: true, nextPageToken: page.nextPageToken };

    /**
     * Stores what was suggested and, if enough of it is shown, the event: both or neither. What is withheld is stored, for
     * the time when the email is not protected any more.
     */
    async function remember(suggested: EmailWithSuggestions[], shown: EmailWithSuggestions[]): Promise<void> {
      const emails = { suggested, shown };
      const found = toNewSuggestions(userId, emails, new Date(nowMs()), dependencies.publishThreshold);
      if (!found.isWorthAnEvent) {
        await saveSuggestions(database, userId, suggested, found.generatedAt);
        return;
      }
      await database.$transaction((tx) => storeSuggestions(tx, found));
      dependencies.onEventRecorded();
    }
  };

/** What was suggested for a user's emails, and the event if there is enough for one. */
interface NewSuggestions {
  userId: string;
  emails: EmailWithSuggestions[];
  generatedAt: Date;
  event: SuggestionsGeneratedEvent;
  isWorthAnEvent: boolean;
}

/**
 * @param emails.shown - without what is withheld because the email is protected; the event names no more
 * @param publishThreshold - fewest suggestions that are worth an event
 */
export const toNewSuggestions = (
  userId: string,
  { suggested, shown }: { suggested: EmailWithSuggestions[]; shown: EmailWithSuggestions[] },
  generatedAt: Date,
  publishThreshold: number,
): NewSuggestions => {
  const event = buildSuggestionsGenerated({ userId, emails: shown, generatedAt });
  const { totalSuggestions } = event.summary;
  const isWorthAnEvent = totalSuggestions > 0 && totalSuggestions >= publishThreshold;
  return { userId, emails: suggested, generatedAt, event, isWorthAnEvent };
};

/** Stores what was suggested and, if there is enough of it, the event. */
export const storeSuggestions = async (tx: Transaction, found: NewSuggestions): Promise<void> => {
  await saveSuggestions(tx, found.userId, found.emails, found.generatedAt);
  if (found.isWorthAnEvent) await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, found.event);
};
