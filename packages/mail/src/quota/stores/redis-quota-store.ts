import type { Redis } from 'ioredis';
import { z } from 'zod';
import { type QuotaLimits, type QuotaStore, toCeilings } from '../quota.ts';
import { PAUSE, POSTPONE_UNITS, TAKE_UNITS } from './quota-scripts.ts';

const GrantSchema = z.tuple([z.int(), z.int(), z.int(), z.int()]);

type Scripts = Record<
  'takeUnits' | 'postponeUnits' | 'pauseUser',
  (...keysAndArguments: (string | number)[]) => Promise<unknown>
>;

/**
 * Keeps count of quota units in Redis, for all replicas together. Unlike the store that it is a part of, it rejects
 * when Redis does not respond.
 *
 * @throws {RangeError} for limits under which no call could ever be made
 */
export const createRedisQuotaStore = (options: QuotaLimits & { redis: Redis }): QuotaStore => {
  const { redis } = options;
  const ceilings = toCeilings(options);
  redis.defineCommand('takeUnits', { numberOfKeys: 3, lua: TAKE_UNITS });
  redis.defineCommand('postponeUnits', { numberOfKeys: 1, lua: POSTPONE_UNITS });
  redis.defineCommand('pauseUser', { numberOfKeys: 1, lua: PAUSE });
  const scripts = redis as unknown as Scripts;
  // The braces keep one user's keys on one node of a cluster.
  const keyOf = (userId: string, name: string) => `mailbox-quota:{${userId}}:${name}`;

  return {
    async take(userId, prices, priority) {
      const keys = ['units', 'pause', 'hold'].map((name) => keyOf(userId, name));
      const limits = [ceilings[priority], ceilings.besideUser];
      const response = await scripts.takeUnits(...keys, priority, ...limits, ...prices);
      const [granted, slot, waitMs, waitForAllMs] = GrantSchema.parse(response);
      return { granted, slot, waitMs, waitForAllMs };
    },
    async postpone(userId, { slot, units, priority }) {
      await scripts.postponeUnits(keyOf(userId, 'units'), slot, units, priority);
    },
    async pause(userId, pauseMs) {
      await scripts.pauseUser(keyOf(userId, 'pause'), pauseMs);
    },
  };
};
