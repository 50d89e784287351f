import { createLogger } from '@mailsweep/service-kit';
import { openQueueBackend } from '../queue/queue-backend.ts';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';

/**
 * A separate process that takes a job, prints so, and never finishes it; for tests to kill.
 * Arguments: the database's address, the Redis prefix, and Redis's address, if any.
 */
const [databaseUrl = '', redisPrefix = '', redisUrl] = process.argv.slice(2);
const logger = createLogger({ service: 'stuck-worker', level: 'silent' });
const queue = await openQueueBackend({ databaseUrl, redisUrl, redisPrefix, logger });
queue.startWorker(
  DOMAIN_EVENTS_QUEUE,
  (job) => {
    process.stdout.write(`took ${job.id}\n`);
    return new Promise(() => undefined);
  },
  { concurrency: 1 },
);
