import type { Database } from '@mailsweep/database';
import { type Logger, startAtZero } from '@mailsweep/service-kit';
import { type Clock, SYSTEM_CLOCK } from '@mailsweep/service-kit/resilience';
import type { Redis } from 'ioredis';
import { Counter, type Registry } from 'prom-client';
import { z } from 'zod';
import { DEFAULT_QUOTA_LIMITS, type QuotaEvent, type QuotaLimits } from './quota.ts';
import { createQuotaGovernor, type QuotaGovernor } from './quota-governor.ts';
import { createMemoryQuotaStore } from './stores/memory-quota-store.ts';
import { createPostgresQuotaStore } from './stores/postgres-quota-store.ts';
import { createRedisQuotaStore } from './stores/redis-quota-store.ts';
import { createSharedQuotaStore } from './stores/shared-quota-store.ts';

/** The variables that tell how much the mail provider allows; every process that opens mailboxes reads them. */
export const quotaVariables = {
  GMAIL_QUOTA_UNITS_PER_MINUTE: z.coerce.number().int().min(100).default(DEFAULT_QUOTA_LIMITS.unitsPerMinute),
};

const QuotaConfigSchema = z.object(quotaVariables);
export type QuotaConfig = Readonly<z.output<typeof QuotaConfigSchema>>;

/**
 * Opens a governor; a process has one for each share of the quota. Units are counted for all processes together: in Redis,
 * or where there is none in Postgres. While that is down, this process counts for itself.
 *
 * @param options.redis - a connection that responds soon or not at all: its command time-out is what an outage of Redis
 *   may cost a call
 */
export const openQuotaGovernor = (options: {
  config: QuotaConfig;
  redis: Redis | undefined;
  database: Database;
  logger: Logger;
  clock?: Clock;
  observe?: (event: QuotaEvent) => void;
  share?: Omit<QuotaLimits, 'unitsPerMinute'>;
}): QuotaGovernor => {
  const { config, redis, database, logger, clock = SYSTEM_CLOCK, observe = () => undefined } = options;
  const { interactiveReserve } = DEFAULT_QUOTA_LIMITS;
  const { share = { interactiveReserve } } = options;
  const limits = { unitsPerMinute: config.GMAIL_QUOTA_UNITS_PER_MINUTE, ...share };
  const local = createMemoryQuotaStore({ ...limits, nowMs: clock.nowMs });
  const store = createSharedQuotaStore({
    shared: redis
      ? createRedisQuotaStore({ ...limits, redis })
      : createPostgresQuotaStore({ ...limits, database }),
    local,
    onUnavailable: (error) => logger.debug({ err: error }, 'the quota store is out of reach'),
    nowMs: clock.nowMs,
  });
  return createQuotaGovernor({
    store,
    clock,
    observe: (event) => {
      if (event.type === 'paused')
        logger.info({ pauseMs: event.pauseMs }, 'the mail provider asks to slow down');
      observe(event);
    },
  });
};

const MS_PER_SECOND = 1_000;

/** Registers what is counted of the provider's quota, over all users, and returns the observer. */
export const createQuotaObserver = (registry: Registry): ((event: QuotaEvent) => void) => {
  const registers = [registry];
  const labelNames = ['priority'] as const;
  const units = new Counter({
    name: 'mailsweep_quota_units_total',
    help: 'Quota units of the mail provider taken, by priority.',
    labelNames,
    registers,
  });
  const waits = new Counter({
    name: 'mailsweep_quota_wait_seconds_total',
    help: 'Time that calls waited since there were no quota units for them, by priority.',
    labelNames,
    registers,
  });
  const givenUp = new Counter({
    name: 'mailsweep_quota_given_up_total',
    help: 'Calls not made because their quota units would have come too late, by priority.',
    labelNames,
    registers,
  });
  const pauses = new Counter({
    name: 'mailsweep_quota_pauses_total',
    help: 'Times that the mail provider asked to slow down.',
    registers,
  });

  for (const counter of [units, waits, givenUp])
    startAtZero(counter, 'priority', ['interactive', 'background']);

  return (event) => {
    switch (event.type) {
      case 'units_taken':
        return units.inc({ priority: event.priority }, event.units);
      case 'waited':
        return waits.inc({ priority: event.priority }, event.waitMs / MS_PER_SECOND);
      case 'gave_up':
        return givenUp.inc({ priority: event.priority });
      case 'paused':
        return pauses.inc();
      case 'concurrency_changed':
        return undefined;
    }
  };
};
