import { DOMAIN_EVENTS_QUEUE, openQueueBackend } from '@mailsweep/event-bus';
import { createLogger } from '@mailsweep/service-kit';

/** What this process gets as its one argument, as JSON. */
export interface NoOpOptions {
  databaseUrl: string;
  redisUrl?: string | undefined;
  concurrency: number;
}

/** How often it reports the number of completed jobs, in milliseconds. */
const TELL_MS = 10;

/** The floor of the worker: a process that takes the same jobs and does nothing with them. */
const { databaseUrl, redisUrl, concurrency }: NoOpOptions = JSON.parse(process.argv[2] ?? '');
const logger = createLogger({ service: 'bench', level: 'silent' });
const queue = await openQueueBackend({ databaseUrl, redisUrl, logger });
let done = 0;
queue.startWorker(DOMAIN_EVENTS_QUEUE, async () => undefined, {
  concurrency,
  onOutcome: () => {
    done += 1;
  },
});
setInterval(() => process.send?.(done), TELL_MS);
process.once('disconnect', () => process.exit());
