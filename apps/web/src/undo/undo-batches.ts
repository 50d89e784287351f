import { t } from '@lingui/core/macro';
import type { ApiClient } from '@mailsweep/client';
import type { ActionBatch } from '@mailsweep/contracts';
import type { Gesture } from '../api/gesture.ts';

/** How often a batch is looked at while the server undoes it, in milliseconds. */
const FOLLOW_INTERVAL_MS = 1_000;

/** Whether the server is undoing a batch. */
export const isBeingUndone = ({ undo }: ActionBatch): boolean => undo?.state === 'running';

/** The batch as it is now. */
export const findBatch = async (
  client: Pick<ApiClient, 'listActionBatches'>,
  id: string,
): Promise<ActionBatch | undefined> => (await client.listActionBatches({ query: { batch: id } })).data[0];

/**
 * Has the server undo batches, one after the other, and follows each until its end.
 *
 * @param gesture - the click or key behind it
 * @param onProgress - called with how many records are undone so far
 * @throws as the client does; the server goes on with what it has begun
 */
export const undoBatches = async (
  client: Pick<ApiClient, 'undoActionBatch' | 'listActionBatches'>,
  batches: readonly ActionBatch[],
  gesture: Gesture,
  onProgress: (undone: number) => void,
): Promise<{ undone: number; failed: number; reasons: string }> => {
  let undone = 0;
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
    failed += batch.undo?.failed ?? 0;
  }
  return { undone, failed, reasons: failed > 0 ? t`Open the entry to see which.` : '' };
};
