import { ScanJobDataSchema, type ScanStep, toScanJob } from '@mailsweep/core';
import {
  type JobOutcome,
  MAILBOX_SCAN_QUEUE,
  PermanentFailureError,
  type QueueBackend,
  type QueuedJob,
  RetryLaterError,
  type StallSettings,
} from '@mailsweep/event-bus';

/** Delay before another worker takes over a step that this one leaves, in milliseconds. */
const HAND_OVER_MS = 100;

export interface ScanConsumerDependencies {
  queue: Pick<QueueBackend, 'addJobs' | 'startWorker'>;
  /** Takes one step of a scan. */
  takeStep: (scanId: string, page: number) => Promise<ScanStep>;
  /** Steps taken at once. */
  concurrency: number;
  onOutcome: (outcome: JobOutcome) => void;
  /** Aborts the steps in flight. */
  stop: () => void;
  isStopping: () => boolean;
  stallSettings?: StallSettings;
}

/** Takes the step that a job names, and puts the next one into the queue. */
const executeScanStep = async (
  { queue, takeStep, isStopping }: ScanConsumerDependencies,
  job: QueuedJob,
): Promise<void> => {
  const data = ScanJobDataSchema.safeParse(job.data);
  if (!data.success) throw new PermanentFailureError('not a step of a scan');
  const { scanId, userId, page } = data.data;
  const step = await takeStep(scanId, page).catch((error: unknown) => {
    if (isStopping()) throw new RetryLaterError('left to another worker', HAND_OVER_MS, { cause: error });
    throw error;
  });
  if (step.kind === 'wait') throw new RetryLaterError(`waits: ${step.reason}`, step.waitMs);
  if (step.kind === 'next')
    await queue.addJobs(MAILBOX_SCAN_QUEUE, [toScanJob({ scanId, userId, page: step.page })]);
};

/**
 * Starts taking steps of scans, in a queue of their own, so that no scan delays an event. Scans take turns, since the
 * next step of each goes to the end of the queue.
 *
 * @returns close() leaves the steps in flight to other workers
 */
export const startScanConsumer = (
  dependencies: ScanConsumerDependencies,
): { close(deadlineMs: number): Promise<boolean> } => {
  const { concurrency, onOutcome, stallSettings } = dependencies;
  const worker = dependencies.queue.startWorker(
    MAILBOX_SCAN_QUEUE,
    (job) => executeScanStep(dependencies, job),
    { concurrency, onOutcome, ...(stallSettings && { stallSettings }) },
  );
  return {
    close(deadlineMs) {
      dependencies.stop();
      return worker.close(deadlineMs);
    },
  };
};
