import { DOMAIN_EVENTS, DomainEventHeadSchema } from '@mailsweep/contracts';
import type { QueuedJob } from '@mailsweep/event-bus';
import type { Logger } from '@mailsweep/service-kit';
import { parseJob } from '../parse-job.ts';

/** Logs an event at debug level: user, type and totals, no content of emails. */
export const executeLogEvent = async (dependencies: { logger: Logger }, job: QueuedJob): Promise<void> => {
  const { eventId, data } = parseJob(DomainEventHeadSchema, job);
  const total =
    data.type === DOMAIN_EVENTS.SUGGESTIONS_GENERATED
      ? { totalSuggestions: data.summary.totalSuggestions }
      : { totalConfirmed: data.summary.totalConfirmed };
  dependencies.logger.debug(
    { eventId, type: data.type, userId: data.userId, generatedAt: data.generatedAt, ...total },
    'domain event',
  );
};
