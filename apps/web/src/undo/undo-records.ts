import { MAX_EMAIL_IDS, type UndoResult } from '@mailsweep/contracts';
import type { ApiClient } from '../api/api-client.ts';
import { inChunks } from '../api/in-chunks.ts';

/**
 * Undoes history records, as many requests as their number needs, one after the other.
 *
 * @returns what became of each record
 * @throws as the client does
 */
export const undoRecords = async (
  client: Pick<ApiClient, 'undoActions'>,
  recordIds: readonly string[],
): Promise<UndoResult[]> => {
  const results: UndoResult[] = [];
  for (const ids of inChunks(recordIds, MAX_EMAIL_IDS)) {
    results.push(...(await client.undoActions({ body: { ids } })).results);
  }
  return results;
};
