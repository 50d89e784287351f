import { setTimeout as sleep } from 'node:timers/promises';
import { createLogger } from '@mailsweep/service-kit';
import { openQueueBackend } from '../queue/queue-backend.ts';
import { DOMAIN_EVENTS_QUEUE } from '../queue/queues.ts';
import { QUICK_STALLS } from './quick-stalls.ts';

/**
 * A separate process that crashes on the job `poison`, among others, and prints the jobs that it finished. Arguments: the database's address, the Redis prefix, and Redis's address, if any.
 */
const [databaseUrl = '', redisPrefix = '', redisUrl] = process.argv.slice(2);
const logger = createLogger({ service: 'crashing-worker', level: 'silent' });
const queue = await openQueueBackend({ databaseUrl, redisUrl, redisPrefix, logger });
queue.startWorker(
  DOMAIN_EVENTS_QUEUE,
  async (job) => {
    // Long enough that all of them are in flight when it crashes.
    await sleep(job.id === 'poison' ? 100 : 200);
    if (job.id === 'poison') process.kill(process.pid, 'SIGKILL');
    process.stdout.write(`${job.id}\n`);
  },
  { concurrency: 8, stallSettings: QUICK_STALLS },
);
