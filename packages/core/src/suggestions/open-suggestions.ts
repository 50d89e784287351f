import {
  type Email,
  type EmailWithSuggestions,
  MlRequestItemSchema,
  type Suggestion,
} from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { type MlClient, MlUnavailableError } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { listConfirmedSuggestions } from '../history/action-history.repository.ts';
import { byConfidence, isSameSuggestion } from './suggestion-choice.ts';

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
  const [suggested, confirmed] = await Promise.all([
    classify(dependencies, userId, emails, requestId),
    listConfirmedSuggestions(dependencies.database, userId, emailIds),
  ]);
  if (suggested === null) return null;
  return emails.map((email) => {
    const isConfirmed = (suggestion: Suggestion) =>
      (confirmed.get(email.id) ?? []).some((earlier) => isSameSuggestion(earlier, suggestion));
    const open = (suggested.get(email.id) ?? []).filter((suggestion) => !isConfirmed(suggestion));
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
