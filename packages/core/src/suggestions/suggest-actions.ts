import {
  type EmailWithSuggestions,
  type ListSuggestionsQuery,
  type ListSuggestionsResponse,
  UnclassifiedEmailSchema,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { OpenMailbox } from '@mailsweep/mailbox';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { findOpenSuggestions } from './open-suggestions.ts';
import { storeSuggestions, toNewSuggestions } from './store-suggestions.ts';
import { withholdSuggestions } from './withhold-suggestions.ts';

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
