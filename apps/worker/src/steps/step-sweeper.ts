import type { QueueBackend } from '@mailsweep/event-bus';
import {
  type BackgroundLoop,
  createOutageLog,
  exponentialDelay,
  type Logger,
  startBackgroundLoop,
} from '@mailsweep/service-kit';
import type { StepKind } from './step-kind.ts';

const INTERVAL_MS = 10_000;
/** Tasks per round. */
const BATCH_SIZE = 500;

/**
 * Sweeps tasks of one kind for as long as the process runs: adds the job of a stalled task again, since the queue may have
 * been unavailable when the task was started, or have lost its data. A job that is still in the queue is not added twice.
 *
 * @param options.beforeRound - what else is to be done in each round, before stalled tasks are looked for
 */
export const createStepSweeper = <Step>(options: {
  kind: Pick<StepKind<Step>, 'name' | 'queueName' | 'toJob' | 'listStalled'>;
  queue: Pick<QueueBackend, 'addJobs'>;
  logger: Logger;
  beforeRound?: () => Promise<void>;
  intervalMs?: number;
}): BackgroundLoop => {
  const { kind, queue, logger, beforeRound, intervalMs = INTERVAL_MS } = options;
  return startBackgroundLoop({
    task: async () => {
      await beforeRound?.();
      const stalled = await kind.listStalled(BATCH_SIZE);
      await queue.addJobs(kind.queueName, stalled.map(kind.toJob));
      return false;
    },
    intervalMs,
    retryDelayMs: exponentialDelay({ firstMs: 1_000, longestMs: INTERVAL_MS }),
    outageLog: createOutageLog(logger, `the sweep of each ${kind.name}`),
  });
};
