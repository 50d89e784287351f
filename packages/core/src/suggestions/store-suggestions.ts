import {
  buildSuggestionsGenerated,
  DOMAIN_EVENTS,
  type EmailWithSuggestions,
  type SuggestionsGeneratedEvent,
} from '@mailsweep/contracts';
import type { Transaction } from '@mailsweep/database';
import { publish } from '@mailsweep/event-bus';
import { saveSuggestions } from './email-suggestion.repository.ts';

/** What was suggested for a user's emails, and the event if there is enough for one. */
export interface NewSuggestions {
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
