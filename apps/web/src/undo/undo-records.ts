import type { ApiClient } from '@mailsweep/client';
import { MAX_EMAIL_IDS, type UndoResult } from '@mailsweep/contracts';
import type { Gesture } from '../api/gesture.ts';
import { inChunks } from '../api/in-chunks.ts';
import { readAllPages } from '../queries/paged-list.ts';

/** The records of one sender in a batch, or all that have the words of a search. */
export interface RecordsOfSender {
  batch: string;
  sender?: string;
  search: string | undefined;
}

/** The ids of those records that are not undone. */
export const listRecordsToUndo = async (
  client: Pick<ApiClient, 'listActionHistory'>,
  query: RecordsOfSender,
): Promise<string[]> => {
  const records = await readAllPages((page) => client.listActionHistory({ query: { ...query, ...page } }));
  return records.filter(({ undoneAt }) => undoneAt === null).map(({ id }) => id);
};

/**
 * Undoes history records, as many requests as their number needs, one after the other.
 *
 * @param gesture - the click or key behind it
 * @returns what became of each record
 * @throws as the client does
 */
export const undoRecords = async (
  client: Pick<ApiClient, 'undoActions'>,
  recordIds: readonly string[],
  gesture: Gesture,
): Promise<UndoResult[]> => {
  const results: UndoResult[] = [];
  for (const [index, ids] of inChunks(recordIds, MAX_EMAIL_IDS).entries()) {
    const request = { body: { ids }, idempotencyKey: gesture.keyOf(index) };
    results.push(...(await client.undoActions(request)).results);
  }
  return results;
};
