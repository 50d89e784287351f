import { PermanentFailureError, type QueuedJob } from '@mailsweep/event-bus';
import { z } from 'zod';

const EventIdSchema = z.uuid();

/** The invalid fields without their values: `summary.totalSuggestions`. Deeper keys may come from emails. */
const describeInvalidFields = (error: z.ZodError): string =>
  [...new Set(error.issues.map((issue) => issue.path.slice(0, 2).join('.') || '(all)'))].join(', ');

/**
 * Parses a job's data; its id is the event's.
 *
 * @throws {PermanentFailureError} when it cannot be parsed; a retry would not help
 */
export const parseJob = <T extends z.ZodType>(
  schema: T,
  job: Pick<QueuedJob, 'id' | 'data'>,
): { eventId: string; data: z.output<T> } => {
  const eventId = EventIdSchema.safeParse(job.id);
  if (!eventId.success) throw new PermanentFailureError("the job's id is not that of an event");
  const data = schema.safeParse(job.data);
  if (!data.success)
    throw new PermanentFailureError(`not an event: invalid ${describeInvalidFields(data.error)}`);
  return { eventId: eventId.data, data: data.data };
};
