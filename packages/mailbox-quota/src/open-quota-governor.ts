import type { Logger } from '@mailsweep/service-kit';
import { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
import type { Redis } from 'ioredis';
import type { QuotaEvent } from './quota.ts';
import { createQuotaGovernor, type QuotaGovernor } from './quota-governor.ts';
import type { QuotaPrices } from './quota-prices.ts';
import { createMemoryQuotaStore } from './stores/memory-quota-store.ts';
import { createRedisQuotaStore } from './stores/redis-quota-store.ts';
import { createSharedQuotaStore } from './stores/shared-quota-store.ts';

/** What {@link quotaVariables} come to. */
export interface QuotaConfig {
  GMAIL_QUOTA_UNITS_PER_MINUTE: number;
  GMAIL_QUOTA_PRICES: QuotaPrices;
  GMAIL_QUOTA_INTERACTIVE_RESERVE: number;
  GMAIL_CONCURRENT_CALLS: number;
}

/**
 * The one governor of a process. People's units are counted in Redis, for all replicas together, where there is
 * one; without it, or while it is down, this process counts for itself.
 *
 * @param options.redis - a connection that responds soon or not at all: its command time-out is what an outage of Redis
 *   may cost a call
 */
export const openQuotaGovernor = (options: {
  config: QuotaConfig;
  redis: Redis | undefined;
  logger: Logger;
  clock?: Clock;
  observe?: (event: QuotaEvent) => void;
}): QuotaGovernor => {
  const { config, redis, logger, clock = SYSTEM_CLOCK, observe = () => undefined } = options;
  const limits = {
    unitsPerMinute: config.GMAIL_QUOTA_UNITS_PER_MINUTE,
    interactiveReserve: config.GMAIL_QUOTA_INTERACTIVE_RESERVE,
  };
  const local = createMemoryQuotaStore({ ...limits, nowMs: clock.nowMs });
  const store =
    redis === undefined
      ? local
      : createSharedQuotaStore({
          shared: createRedisQuotaStore({ ...limits, redis }),
          local,
          onUnavailable: (error) => logger.debug({ err: error }, 'the quota store is out of reach'),
          nowMs: clock.nowMs,
        });
  return createQuotaGovernor({
    store,
    clock,
    prices: config.GMAIL_QUOTA_PRICES,
    concurrentCalls: config.GMAIL_CONCURRENT_CALLS,
    observe: (event) => {
      if (event.type === 'paused')
        logger.info({ pauseMs: event.pauseMs }, 'the mail provider asks to slow down');
      observe(event);
    },
  });
};
