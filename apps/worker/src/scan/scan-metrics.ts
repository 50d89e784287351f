import { ScanErrorSchema } from '@mailsweep/contracts';
import { countActiveScans, type ScanEvent } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { registerReading, startAtZero } from '@mailsweep/service-kit';
import { Counter, type Registry } from 'prom-client';

/**
 * Registers the metrics of scans: active ones, the same on every replica, and what this process has done.
 *
 * @returns counts an event of a scan
 */
export const createScanObserver = (registry: Registry, database: Database): ((event: ScanEvent) => void) => {
  const registers = [registry];
  registerReading(registry, () => countActiveScans(database), [
    {
      name: 'mailsweep_scans',
      help: 'Active scans by state; absent while the database is unavailable.',
      labelNames: ['state'],
      show(gauge, counts) {
        for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
      },
    },
  ]);
  const emails = new Counter({
    name: 'mailsweep_scan_emails_total',
    help: 'Emails that scans have read.',
    registers,
  });
  const waits = new Counter({
    name: 'mailsweep_scan_waits_total',
    help: 'Steps of scans that were postponed, by reason.',
    labelNames: ['reason'],
    registers,
  });
  const ended = new Counter({
    name: 'mailsweep_scans_ended_total',
    help: 'Scans ended by outcome: completed, or why they failed.',
    labelNames: ['outcome'],
    registers,
  });

  startAtZero(waits, 'reason', ScanErrorSchema.options);
  startAtZero(ended, 'outcome', ['completed', ...ScanErrorSchema.options]);

  return (event) => {
    switch (event.type) {
      case 'page_read':
        return emails.inc(event.emails);
      case 'waits':
        return waits.inc({ reason: event.reason });
      case 'ended':
        return ended.inc({ outcome: event.outcome });
    }
  };
};
