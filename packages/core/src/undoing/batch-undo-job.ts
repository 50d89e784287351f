import type { NewJob } from '@mailsweep/event-bus';
import { z } from 'zod';
import type { UndoingBatch } from '../history/batch-undo.repository.ts';

/** What a job of the queue `batch-undo` says: the step that it is to take, by the record that the last one reached. */
export const BatchUndoJobDataSchema = z.object({
  batchId: z.uuid(),
  userId: z.uuid(),
  cursor: z.uuid().nullable(),
});
export type BatchUndoJobData = z.infer<typeof BatchUndoJobDataSchema>;

/** The job that takes a step; its id is that of the step, so that no step waits in the queue twice. */
export const toBatchUndoJob = (data: BatchUndoJobData): NewJob => ({
  id: `${data.batchId}-${data.cursor ?? 'first'}`,
  name: 'undo-records',
  data,
});

/** The step that is next in the undo of a batch. */
export const toBatchUndoStep = ({ id, userId, undoCursor }: UndoingBatch): BatchUndoJobData => ({
  batchId: id,
  userId,
  cursor: undoCursor,
});
