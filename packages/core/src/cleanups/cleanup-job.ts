import type { NewJob } from '@mailsweep/event-bus';
import { z } from 'zod';

/** Data of a job of the queue `mailbox-cleanup`: the step of the cleanup that it takes, counted from 0. */
export const CleanupJobDataSchema = z.object({
  cleanupId: z.uuid(),
  userId: z.uuid(),
  step: z.number().int().min(0),
});
export type CleanupJobData = z.infer<typeof CleanupJobDataSchema>;

/** The job that takes a step of a cleanup; its id is that of the step, so that no step waits in the queue twice. */
export const toCleanupJob = (data: CleanupJobData): NewJob => ({
  id: `${data.cleanupId}-${data.step}`,
  name: 'cleanup-step',
  data,
});
