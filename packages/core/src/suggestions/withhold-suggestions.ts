import type { Suggestion } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { withholdStopped } from '../learning/stopped-suggestion.repository.ts';
import { listCachedReasons } from '../protections/cached-protection.repository.ts';
import { isNoticed, withoutClearing } from '../protections/why-protected.ts';

/**
 * Leaves out what is not shown of the suggestions of emails: those that would clear protected emails away, and what is no
 * longer suggested.
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
