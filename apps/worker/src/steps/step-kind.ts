import type { StepOutcome } from '@mailsweep/core';
import type { NewJob, QueueName } from '@mailsweep/event-bus';
import type { z } from 'zod';

/**
 * A kind of long task that is done in steps, one job each, in a queue of its own, so that it delays no event. Tasks take
 * turns, since the next step of each goes to the end of the queue.
 */
export interface StepKind<Step> {
  /** For logs. */
  name: string;
  queueName: QueueName;
  /** What a job must hold. */
  schema: z.ZodType<Step>;
  /** The job that takes a step; its id is that of the step, so that no step waits in the queue twice. */
  toJob: (step: Step) => NewJob;
  takeStep: (step: Step) => Promise<StepOutcome<Step>>;
  /** The current steps of tasks without a heartbeat for a while. */
  listStalled: (limit: number) => Promise<Step[]>;
}
