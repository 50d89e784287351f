import {
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  type EmailWithSuggestions,
  type ListSuggestionsQuery,
  type ListSuggestionsResponse,
  type SuggestionsGeneratedEvent,
  UnclassifiedEmailSchema,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import type { OpenMailbox } from '@mailsweep/mail/mailbox';
import type { MlClient } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { listBoundPage } from '../page-token.ts';
import { saveSuggestions } from './email-suggestion.repository.ts';
import { findOpenSuggestions, withholdSuggestions } from './open-suggestions.ts';

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
