import {
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  type Email,
  type EmailWithSuggestions,
  type ListSuggestionsQuery,
  type ListSuggestionsResponse,
  type Suggestion,
  type UnclassifiedEmail,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import { type MlClient, MlUnavailableError } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { listAnsweredSuggestions } from './action-history.repository.ts';
import type { Clock, OpenMailbox } from './dependencies.ts';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { byConfidence, isSameSuggestion } from './suggestion-choice.ts';

/**
 * Lists recent emails with what the classification service suggests for them. Suggestions that the person
 * has answered before are left out. Where the service is unavailable the emails come without suggestions.
 *
 * @param dependencies.publishThreshold - fewest suggestions of one request that are worth an event
 * @param dependencies.onEventRecorded - called after an event was committed to the outbox
 */
export const createSuggestActions =
  (dependencies: {
    database: Database;
    openMailbox: OpenMailbox;
    mlClient: MlClient;
    clock: Clock;
    logger: Logger;
    publishThreshold: number;
    onEventRecorded: () => void;
  }) =>
  async (
    userId: string,
    query: ListSuggestionsQuery,
    requestId: string,
  ): Promise<ListSuggestionsResponse> => {
    const { database, clock, logger } = dependencies;
    const page = await dependencies.openMailbox(userId).listEmails(query);

    const suggested = await classify(page.emails);
    if (suggested === null) {
      return {
        emails: page.emails.map(toUnclassifiedEmail),
        classified: false,
        nextPageToken: page.nextPageToken,
      };
    }
    const answered = await listAnsweredSuggestions(
      database,
      userId,
      page.emails.map((email) => email.id),
    );
    const emails = page.emails.map((email) => {
      const isAnswered = (suggestion: Suggestion) =>
        (answered.get(email.id) ?? []).some((earlier) => isSameSuggestion(earlier, suggestion));
      const open = (suggested.get(email.id) ?? []).filter((suggestion) => !isAnswered(suggestion));
      return toEmailWithSuggestions(email, open.toSorted(byConfidence));
    });
    await remember(emails);
    return { emails, classified: true, nextPageToken: page.nextPageToken };

    async function classify(candidates: Email[]): Promise<Map<string, Suggestion[]> | null> {
      try {
        return await dependencies.mlClient.suggest(candidates.map(toMlRequestItem), { userId, requestId });
      } catch (error) {
        if (!(error instanceof MlUnavailableError)) throw error;
        // An open circuit is told of once, when it opens.
        const level = error.code === 'ml_circuit_open' ? 'debug' : 'warn';
        logger[level]({ err: error, requestId }, 'the classification service is unavailable');
        return null;
      }
    }

    /** Keeps what was shown and, when it is enough to tell of, the event: both or neither. */
    async function remember(shown: EmailWithSuggestions[]): Promise<void> {
      const event = buildSuggestionsGenerated({ userId, emails: shown, generatedAt: clock() });
      const isWorthAnEvent =
        event.summary.totalSuggestions > 0 && event.summary.totalSuggestions >= dependencies.publishThreshold;
      await database.$transaction(async (tx) => {
        await saveSuggestions(tx, userId, shown, clock());
        if (isWorthAnEvent) await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, event);
      });
      if (isWorthAnEvent) dependencies.onEventRecorded();
    }
  };

const toMlRequestItem = ({ id, from, subject, date, isRead, category, attachmentSizeMb }: Email) => ({
  id,
  from,
  subject,
  date,
  isRead,
  category,
  attachmentSizeMb,
});

const toEmailWithSuggestions = (email: Email, suggestions: Suggestion[]): EmailWithSuggestions => ({
  ...toMlRequestItem(email),
  suggestions,
});

const toUnclassifiedEmail = ({ id, from, subject, snippet, date }: Email): UnclassifiedEmail => ({
  id,
  from,
  subject,
  snippet,
  date,
  suggestions: [],
});
