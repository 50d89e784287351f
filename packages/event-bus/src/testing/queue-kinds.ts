import { randomUUID } from 'node:crypto';
import type {} from '@mailsweep/database/testing';
import type { Logger } from '@mailsweep/service-kit';
import { createRecordingLogger } from '@mailsweep/service-kit/testing';
import { describe, inject } from 'vitest';
import { openQueueBackend, type QueueBackend } from '../queue/queue-backend.ts';

export type QueueKind = 'postgres' | 'redis';

/** Runs a suite on Postgres and on Redis; on the latter only where the machine has one. */
export const describeOnEachQueue = (title: string, suite: (kind: QueueKind) => void): void => {
  describe(`${title}, on postgres`, () => suite('postgres'));
  const hasRedis = inject('redisUrl') !== null;
  const note = hasRedis ? '' : ' (skipped: this machine has no redis-server)';
  describe.skipIf(!hasRedis)(`${title}, on redis${note}`, () => suite('redis'));
};

/** The address of the server that carries the queues. */
export const queueUrlOf = (kind: QueueKind, databaseUrl: string): string =>
  kind === 'redis' ? (inject('redisUrl') ?? '') : databaseUrl;

/**
 * Opens queues that no other test shares.
 *
 * @param options.queueUrl - in place of the server's own address, for a proxy in between
 */
export const openTestQueue = (
  kind: QueueKind,
  options: { databaseUrl: string; queueUrl?: string; logger?: Logger; redisPrefix?: string },
): Promise<QueueBackend> => {
  const queueUrl = options.queueUrl ?? queueUrlOf(kind, options.databaseUrl);
  return openQueueBackend({
    redisUrl: kind === 'redis' ? queueUrl : undefined,
    databaseUrl: queueUrl,
    logger: options.logger ?? createRecordingLogger().logger,
    redisPrefix: options.redisPrefix ?? `test-${randomUUID()}`,
  });
};
