import { Counter, type Registry } from 'prom-client';
import type { QuotaEvent } from './quota.ts';

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
    help: 'Time that calls waited for quota units, by priority.',
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
