import {
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  type Email,
  type EmailWithSuggestions,
  type ListSuggestionsQuery,
  type ListSuggestionsResponse,
  type UnclassifiedEmail,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import type { OpenMailbox } from '../dependencies.ts';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { findOpenSuggestions } from './open-suggestions.ts';

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
    const page = await dependencies.openMailbox(userId).listEmails(query);

    const emails = await findOpenSuggestions(dependencies, userId, page.emails, requestId);
    if (emails === null) {
      return {
        emails: page.emails.map(toUnclassifiedEmail),
        classified: false,
        nextPageToken: page.nextPageToken,
      };
    }
    await remember(emails);
    return { emails, classified: true, nextPageToken: page.nextPageToken };

    /** Stores what was shown and, if there is enough of it, the event: both or neither. */
    async function remember(shown: EmailWithSuggestions[]): Promise<void> {
      const generatedAt = new Date(nowMs());
      const event = buildSuggestionsGenerated({ userId, emails: shown, generatedAt });
      const isWorthAnEvent =
        event.summary.totalSuggestions > 0 && event.summary.totalSuggestions >= dependencies.publishThreshold;
      if (!isWorthAnEvent) {
        await saveSuggestions(database, userId, shown, generatedAt);
        return;
      }
      await database.$transaction(async (tx) => {
        await saveSuggestions(tx, userId, shown, generatedAt);
        await publish(tx, DOMAIN_EVENTS.SUGGESTIONS_GENERATED, event);
      });
      dependencies.onEventRecorded();
    }
  };

const toUnclassifiedEmail = ({ id, from, subject, snippet, date }: Email): UnclassifiedEmail => ({
  id,
  from,
  subject,
  snippet,
  date,
  suggestions: [],
});
