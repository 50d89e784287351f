import type { ItemResult } from '@mailsweep/contracts';
import type { IdempotentRequest } from '../concurrency/idempotency-key.repository.ts';

/**
 * Acts on the emails of a request that an earlier attempt with the same key has not acted on.
 *
 * @param act - returns one result for each email it is given; not called when none is left
 * @returns one result for each email, in the order given
 */
export const resumeActing = async (
  emailIds: string[],
  idempotency: IdempotentRequest | undefined,
  act: (emailIds: string[]) => Promise<ItemResult[]>,
): Promise<ItemResult[]> => {
  const results = new Map<string, ItemResult>();
  for (const emailId of emailIds) {
    const recordId = idempotency?.done.get(emailId);
    if (recordId !== undefined) results.set(emailId, { emailId, status: 'ok', recordId });
  }
  const openIds = emailIds.filter((emailId) => !results.has(emailId));
  const acted = openIds.length === 0 ? [] : await act(openIds);
  for (const result of acted) results.set(result.emailId, result);
  return emailIds.flatMap((emailId) => results.get(emailId) ?? []);
};
