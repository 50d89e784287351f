import {
  type JobOutcome,
  PermanentFailureError,
  type QueueBackend,
  type QueuedJob,
  RetryLaterError,
  type StallSettings,
} from '@mailsweep/event-bus';
import type { StepKind } from './step-kind.ts';

/** Delay before another worker takes over a step that this one leaves, in milliseconds. */
const HAND_OVER_MS = 100;

export interface StepConsumerDependencies<Step> {
  kind: Pick<StepKind<Step>, 'name' | 'queueName' | 'schema' | 'toJob' | 'takeStep'>;
  queue: Pick<QueueBackend, 'addJobs' | 'startWorker'>;
  /** Steps taken at once. */
  concurrency: number;
  onOutcome: (outcome: JobOutcome) => void;
  /** Aborted when the process stops: steps that fail then are left to other workers. */
  stopping: AbortSignal;
  stallSettings?: StallSettings;
}

/** Takes the step that a job names, and puts the next one into the queue. */
const executeStep = async <Step>(
  { kind, queue, stopping }: StepConsumerDependencies<Step>,
  job: QueuedJob,
): Promise<void> => {
  const { name, queueName, schema, toJob, takeStep } = kind;
  const data = schema.safeParse(job.data);
  if (!data.success) throw new PermanentFailureError(`not a step of a ${name}`);
  const outcome = await takeStep(data.data).catch((error: unknown) => {
    if (stopping.aborted) throw new RetryLaterError('left to another worker', HAND_OVER_MS, { cause: error });
    throw error;
  });
  if (outcome.kind === 'wait') throw new RetryLaterError(`waits: ${outcome.reason}`, outcome.waitMs);
  if (outcome.kind === 'next') await queue.addJobs(queueName, [toJob(outcome.step)]);
};

/**
 * Starts taking steps of one kind of task.
 *
 * @returns close() resolves to whether the steps in flight ended within the deadline in milliseconds; others take over
 *   those that did not
 */
export const startStepConsumer = <Step>(
  dependencies: StepConsumerDependencies<Step>,
): { close(deadlineMs: number): Promise<boolean> } => {
  const { kind, queue, concurrency, onOutcome, stallSettings } = dependencies;
  return queue.startWorker(kind.queueName, (job) => executeStep(dependencies, job), {
    concurrency,
    onOutcome,
    ...(stallSettings && { stallSettings }),
  });
};
