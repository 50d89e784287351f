import type { ItemResult } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import type { IdempotentRequest } from '../concurrency/idempotency-key.repository.ts';
import { findBatchOfRecords } from '../history/action-history.repository.ts';

/**
 * Acts on the emails of a request that an earlier attempt with the same key has not acted on.
 *
 * @param act - returns one result for each email it is given; its records join the batch of the earlier attempt, if there
 *   is one. Not called when no email is left
 * @returns one result for each email, in the order given
 */
export const resumeActing = async (
  request: {
    database: Database;
    userId: string;
    emailIds: string[];
    idempotency: IdempotentRequest | undefined;
  },
  act: (emailIds: string[], batchId: string | undefined) => Promise<ItemResult[]>,
): Promise<ItemResult[]> => {
  const { database, userId, emailIds, idempotency } = request;
  const results = new Map<string, ItemResult>();
  for (const emailId of emailIds) {
    const recordId = idempotency?.done.get(emailId);
    if (recordId !== undefined) results.set(emailId, { emailId, status: 'ok', recordId });
  }
  const openIds = emailIds.filter((emailId) => !results.has(emailId));
  if (openIds.length > 0) {
    const earlierIds = [...(idempotency?.done.values() ?? [])];
    const batchId =
      earlierIds.length === 0 ? undefined : await findBatchOfRecords(database, userId, earlierIds);
    for (const result of await act(openIds, batchId)) results.set(result.emailId, result);
  }
  return emailIds.flatMap((emailId) => results.get(emailId) ?? []);
};
