import { DomainEventHeadSchema, DomainEventSchema } from '@mailsweep/contracts';
import type { Database } from '@mailsweep/database';
import { oweWebhook, type QueueBackend, type QueuedJob, WEBHOOK_QUEUE } from '@mailsweep/event-bus';
import { parseJob } from '../parse-job.ts';
import { SUBSCRIPTIONS } from './subscriptions.ts';

export interface DispatchDependencies {
  database: Database;
  queue: Pick<QueueBackend, 'addJobs'>;
  /** Whether there is a workflow service to call. */
  hasWebhook: boolean;
}

/**
 * Turns an event into one delivery per subscriber. Deliveries carry the head of the event alone; their id is the
 * event's, so that dispatching it again adds no second one to those still under way.
 */
export const executeDispatchEvent = async (
  dependencies: DispatchDependencies,
  job: QueuedJob,
): Promise<void> => {
  const { database, queue, hasWebhook } = dependencies;
  const { eventId, data: event } = parseJob(DomainEventSchema, job);
  const delivery = { id: eventId, name: event.type, data: DomainEventHeadSchema.parse(event) };
  for (const queueName of SUBSCRIPTIONS[event.type]) {
    const isDue = queueName !== WEBHOOK_QUEUE || (hasWebhook && (await oweWebhook(database, eventId)));
    if (isDue) await queue.addJobs(queueName, [delivery]);
  }
};
