import {
  CleanupJobDataSchema,
  createRunCleanup,
  giveUpCleanups,
  listStalledCleanups,
  toCleanupJob,
} from '@mailsweep/core';
import { MAILBOX_CLEANUP_QUEUE } from '@mailsweep/event-bus';
import type { TextCipher } from '@mailsweep/mailbox-sync';
import type { ChangeTaskDependencies } from '../steps/change-task-dependencies.ts';
import { startStepWork } from '../steps/start-step-work.ts';

/** Steps taken at once, each of another mailbox; most of the time each waits for Gmail. */
const CONCURRENCY = 8;

/** Starts executing cleanups. A step that is in flight at shutdown gets the time to end. */
export const startCleanups = (dependencies: ChangeTaskDependencies & { cipher: TextCipher }): void => {
  const { database, queue, logger, lifecycle, onOutcome } = dependencies;
  startStepWork({
    kind: {
      name: 'cleanup',
      queueName: MAILBOX_CLEANUP_QUEUE,
      schema: CleanupJobDataSchema,
      toJob: toCleanupJob,
      takeStep: createRunCleanup(dependencies),
      async listStalled(limit) {
        const stalled = await listStalledCleanups(database, limit);
        return stalled.map(({ id, userId, steps }) => ({ cleanupId: id, userId, step: steps }));
      },
    },
    queue,
    concurrency: CONCURRENCY,
    logger,
    lifecycle,
    onOutcome,
    async beforeRound() {
      const givenUp = await giveUpCleanups(database);
      if (givenUp > 0) logger.warn({ count: givenUp }, 'cleanups timed out without progress');
    },
  });
};
