import type { ActionBatch } from '@mailsweep/contracts';
import { isBeingUndone } from '../../undo/undo-batches.ts';

/** Records of a batch that can still be undone. */
export const countLeft = ({ total, undone }: ActionBatch): number => total - undone;

/** Whether the user may have a batch undone now. */
export const canUndo = (batch: ActionBatch): boolean => countLeft(batch) > 0 && !isBeingUndone(batch);
