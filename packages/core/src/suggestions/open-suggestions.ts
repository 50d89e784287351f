import {
  type Email,
  type EmailWithSuggestions,
  MlRequestItemSchema,
  type Suggestion,
} from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { type MlClient, MlUnavailableError } from '@mailsweep/ml-client';
import type { Logger } from '@mailsweep/service-kit';
import { listConfirmedSuggestions } from '../history/action-history.repository.ts';
import { withholdStopped } from '../learning/stopped-suggestion.repository.ts';
import { listCachedReasons, markDiscussions } from '../protections/cached-protection.repository.ts';
import { isNoticed, withoutClearing } from '../protections/why-protected.ts';
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
