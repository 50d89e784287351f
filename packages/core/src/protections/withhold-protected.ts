import type { Suggestion } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { listCachedReasons } from './cached-protection.repository.ts';
import { withoutClearing } from './why-protected.ts';

/**
 * Leaves out the suggestions that would clear emails away that are protected whatever is suggested for them. Which of
 * several contradictory suggestions counts is up to the classification service.
 */
export const withholdProtected = async <T extends { id: string; suggestions: Suggestion[] }>(
  database: Database | Transaction,
  userId: string,
  emails: readonly T[],
): Promise<T[]> => {
  const reasons = await listCachedReasons(
    database,
    userId,
    emails.map(({ id }) => id),
  );
  return emails.map((email) =>
    reasons.has(email.id) ? { ...email, suggestions: withoutClearing(email.suggestions) } : email,
  );
};
