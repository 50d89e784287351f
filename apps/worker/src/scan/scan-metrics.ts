import { countActiveScans, type ScanEvent } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { createSharedReading } from '@mailsweep/service-kit';
import { Counter, Gauge, type Registry } from 'prom-client';

/**
 * Registers what is counted of scans: those under way, the same on every replica, and what this process has done.
 *
 * @returns is to be told what happens
 */
export const createScanObserver = (registry: Registry, database: Database): ((event: ScanEvent) => void) => {
  const registers = [registry];
  const readActive = createSharedReading(() => countActiveScans(database));
  new Gauge({
    name: 'mailsweep_scans',
    help: 'Scans under way by state; absent while the database is out of reach.',
    labelNames: ['state'],
    registers,
    async collect() {
      const counts = await readActive();
      this.reset();
      for (const [state, count] of Object.entries(counts ?? {})) this.set({ state }, count);
    },
  });
  const emails = new Counter({
    name: 'mailsweep_scan_emails_total',
    help: 'Emails that scans have read.',
    registers,
  });
  const waits = new Counter({
    name: 'mailsweep_scan_waits_total',
    help: 'Steps of scans put off until later, by what they wait for.',
    labelNames: ['reason'],
    registers,
  });
  const ended = new Counter({
    name: 'mailsweep_scans_ended_total',
    help: 'Scans ended by outcome: completed, or why they failed.',
    labelNames: ['outcome'],
    registers,
  });

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
