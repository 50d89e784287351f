import type { Suggestion } from '@mailsweep/contracts';
import type { Database, Transaction } from '@mailsweep/database';
import { withholdStopped } from '../learning/stopped-suggestion.repository.ts';
import { withholdProtected } from '../protections/withhold-protected.ts';

/** Leaves out what is not shown of the suggestions of emails: what protection withholds, and what is no longer suggested. */
export const withholdSuggestions = async <T extends { id: string; suggestions: Suggestion[] }>(
  database: Database | Transaction,
  userId: string,
  emails: readonly T[],
): Promise<T[]> => withholdStopped(database, userId, await withholdProtected(database, userId, emails));
