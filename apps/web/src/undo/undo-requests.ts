import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import { type ActionBatch, MAX_EMAIL_IDS, type UndoResult } from '@mailsweep/contracts';
import type { Gesture } from '../api/gesture.ts';
import { inChunks } from '../api/in-chunks.ts';
import { readAllPages } from '../api/paged-list.ts';

/** Records of a sender in a batch, or those that match a search. */
export interface RecordsOfSender {
  batch: string;
  sender?: string;
  search: string | undefined;
}

export const listRecordsToUndo = async (
  client: Pick<ApiClient, 'listActionHistory'>,
  query: RecordsOfSender,
): Promise<string[]> => {
  const records = await readAllPages((page) => client.listActionHistory({ query: { ...query, ...page } }));
  return records.filter(({ undoneAt }) => undoneAt === null).map(({ id }) => id);
};

/** Whether something was restored: some actions had changed nothing. */
export const isUndone = (result: UndoResult): boolean => result.status === 'ok' && !result.unchanged;

/**
 * Undoes history records in as many requests as needed.
 *
 * @param gesture - the click or key behind it
 * @returns the result of each record
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

/** Poll interval while the server undoes a batch. Unit: milliseconds. */
const FOLLOW_INTERVAL_MS = 1_000;

export const isBeingUndone = ({ undo }: ActionBatch): boolean => undo?.state === 'running';

export const findBatch = async (
  client: Pick<ApiClient, 'listActionBatches'>,
  id: string,
): Promise<ActionBatch | undefined> => (await client.listActionBatches({ query: { batch: id } })).data[0];

/**
 * Undoes batches on the server in turn, and follows each to its end.
 *
 * @param gesture - the click or key behind it
 * @param onProgress - receives the number of undone records
 * @throws as the client does; the server completes what it has begun
 */
export const undoBatches = async (
  client: Pick<ApiClient, 'undoActionBatch' | 'listActionBatches'>,
  batches: readonly ActionBatch[],
  gesture: Gesture,
  onProgress: (undone: number) => void,
): Promise<{ undone: number; unchanged: number; failed: number; reasons: string }> => {
  let undone = 0;
  let unchanged = 0;
  let failed = 0;
  for (const [index, before] of batches.entries()) {
    const params = { id: before.id };
    let batch = await client.undoActionBatch({ params, idempotencyKey: gesture.keyOf(index) });
    while (isBeingUndone(batch)) {
      onProgress(undone + batch.undone - before.undone);
      await new Promise((resolve) => setTimeout(resolve, FOLLOW_INTERVAL_MS));
      batch = (await findBatch(client, before.id)) ?? batch;
    }
    undone += batch.undone - before.undone;
    unchanged += batch.unchanged;
    failed += batch.undo?.failed ?? 0;
  }
  return { undone, unchanged, failed, reasons: failed > 0 ? t`Open the entry to see which.` : '' };
};
