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
import { toPublication } from '@mailsweep/event-bus';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import type { Clock, OpenMailbox } from '../dependencies.ts';
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
    const { database, clock } = dependencies;
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
      const event = buildSuggestionsGenerated({ userId, emails: shown, generatedAt: clock() });
      const isWorthAnEvent =
        event.summary.totalSuggestions > 0 && event.summary.totalSuggestions >= dependencies.publishThreshold;
      const publication = isWorthAnEvent
        ? toPublication(DOMAIN_EVENTS.SUGGESTIONS_GENERATED, event)
        : undefined;
      await saveSuggestions(database, userId, shown, clock(), publication);
      if (isWorthAnEvent) dependencies.onEventRecorded();
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
