import type { ActionBatch } from '@mailsweep/contracts';

/** Records of a batch that can still be undone. */
export const countLeft = ({ total, undone }: ActionBatch): number => total - undone;

/** Whether the server is undoing a batch. */
export const isBeingUndone = ({ undo }: ActionBatch): boolean => undo?.state === 'running';

/** Whether the user may have a batch undone now. */
export const canUndo = (batch: ActionBatch): boolean => countLeft(batch) > 0 && !isBeingUndone(batch);
