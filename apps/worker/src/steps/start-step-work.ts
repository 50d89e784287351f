import type { JobOutcome, QueueBackend } from '@mailsweep/event-bus';
import type { Lifecycle, Logger } from '@mailsweep/service-kit';
import { startStepConsumer } from './step-consumer.ts';
import type { StepKind } from './step-kind.ts';
import { createStepSweeper } from './step-sweeper.ts';

/** Time for steps in flight to end at shutdown, in milliseconds. */
const CLOSE_TIMEOUT_MS = 5_000;

/** Starts the tasks of one kind: takes their steps from its queue, and sweeps tasks whose job was lost. */
export const startStepWork = <Step>(dependencies: {
  kind: StepKind<Step>;
  queue: QueueBackend;
  concurrency: number;
  logger: Logger;
  lifecycle: Lifecycle;
  onOutcome: (outcome: JobOutcome) => void;
  /** Aborted to end steps in flight at once; where it is left out, they get the time to end. */
  stopping?: AbortController;
  beforeRound?: () => Promise<void>;
}): void => {
  const { kind, queue, concurrency, logger, lifecycle, onOutcome, beforeRound } = dependencies;
  const stopping = dependencies.stopping ?? new AbortController();
  const sweeper = createStepSweeper({ kind, queue, logger, ...(beforeRound && { beforeRound }) });
  lifecycle.onClose(`${kind.name} sweeper`, () => sweeper.close());
  const consumer = startStepConsumer({ kind, queue, concurrency, onOutcome, stopping: stopping.signal });
  lifecycle.onClose(`${kind.name} consumer`, async () => {
    if (dependencies.stopping) stopping.abort(new Error('the worker is stopping'));
    if (!(await consumer.close(CLOSE_TIMEOUT_MS))) {
      logger.warn(`left a step of a ${kind.name} to other workers`);
    }
  });
};
