import {
  BatchUndoJobDataSchema,
  createTakeUndoStep,
  createUndoActions,
  listStalledBatchUndos,
  toBatchUndoJob,
  toBatchUndoStep,
} from '@mailsweep/core';
import { BATCH_UNDO_QUEUE } from '@mailsweep/event-bus';
import type { ChangeTaskDependencies } from '../steps/change-task-dependencies.ts';
import { startStepWork } from '../steps/start-step-work.ts';

/** Steps taken at once, each of another mailbox; most of the time each waits for Gmail. */
const CONCURRENCY = 8;

/** Starts undoing batches. A step that is in flight at shutdown gets the time to end. */
export const startUndoing = (dependencies: ChangeTaskDependencies): void => {
  const { database, queue, logger, lifecycle, onOutcome } = dependencies;
  const undoActions = createUndoActions(dependencies);
  startStepWork({
    kind: {
      name: 'batch undo',
      queueName: BATCH_UNDO_QUEUE,
      schema: BatchUndoJobDataSchema,
      toJob: toBatchUndoJob,
      takeStep: createTakeUndoStep({ database, undoActions }),
      listStalled: async (limit) => (await listStalledBatchUndos(database, limit)).map(toBatchUndoStep),
    },
    queue,
    concurrency: CONCURRENCY,
    logger,
    lifecycle,
    onOutcome,
  });
};
