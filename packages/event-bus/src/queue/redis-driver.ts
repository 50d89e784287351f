import { once } from 'node:events';
import { exponentialDelay, type OutageLog } from '@mailsweep/service-kit';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { type AnyQueue, type AnyWorker, jobOptionsOf, QUEUE_TIMEOUT_MS, type QueueDriver } from './queues.ts';

/**
 * Silence after which a worker's connection counts as broken, in milliseconds. Its blocking call returns within ten
 * seconds, so this must be more.
 */
const WORKER_SILENCE_MS = 15_000;

const reconnectDelayMs = exponentialDelay({ firstMs: 100, longestMs: 1_000 });

/** Gives the first connection a moment, so that a healthy start fails no call. */
const waitForFirstConnection = async (redis: Redis): Promise<void> => {
  await once(redis, 'ready', { signal: AbortSignal.timeout(QUEUE_TIMEOUT_MS) }).catch(() => undefined);
};

/**
 * Runs the queues on Redis. Adding jobs fails fast while Redis is unavailable; workers wait for it.
 *
 * @param options.prefix - begins every key
 */
export const openRedisDriver = async (options: {
  redisUrl: string;
  prefix: string;
  outageLog: OutageLog;
}): Promise<QueueDriver> => {
  const { redisUrl, prefix, outageLog } = options;
  const producer = new Redis(redisUrl, {
    // Fail at once instead of buffering in memory: the outbox keeps the events.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: QUEUE_TIMEOUT_MS,
    commandTimeout: QUEUE_TIMEOUT_MS,
    socketTimeout: QUEUE_TIMEOUT_MS,
    retryStrategy: (attempts) => reconnectDelayMs(attempts),
  });
  producer.on('error', outageLog.failed);
  producer.on('ready', outageLog.recovered);
  await waitForFirstConnection(producer);

  return {
    kind: 'redis',
    async openQueue(name) {
      const queue = new Queue(name, {
        connection: producer,
        prefix,
        defaultJobOptions: jobOptionsOf(name),
        // Either check would make a queue that is opened while Redis is unavailable unusable for good.
        skipWaitingForReady: true,
        skipVersionCheck: true,
      });
      queue.on('error', outageLog.failed);
      return queue as unknown as AnyQueue;
    },
    async openWorker(name, process, settings) {
      const worker = new Worker(name, process, {
        ...settings,
        prefix,
        connection: {
          url: redisUrl,
          maxRetriesPerRequest: null,
          connectTimeout: QUEUE_TIMEOUT_MS,
          socketTimeout: WORKER_SILENCE_MS,
          retryStrategy: (attempts) => reconnectDelayMs(attempts),
        },
      });
      worker.on('error', outageLog.failed);
      return worker as unknown as AnyWorker;
    },
    async ping() {
      await producer.ping();
    },
    async close() {
      producer.disconnect();
    },
  };
};
