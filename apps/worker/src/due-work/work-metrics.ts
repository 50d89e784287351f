import { NotificationKindSchema, ScanErrorSchema, WatchStateSchema } from '@mailsweep/contracts';
import { DELIVERY_OUTCOMES, type Maintenance, WATCH_OUTCOMES, type WorkerPorts } from '@mailsweep/core';
import { registerReading, startAtZero } from '@mailsweep/service-kit';
import { Counter, type Registry } from 'prom-client';

type Observe = WorkerPorts['observe'];

/** There are no rows of watches that are off. */
const WATCH_STATES = WatchStateSchema.exclude(['off']).options;

/**
 * Registers the metrics of due work: what there is, the same on every replica, and what this process has done.
 *
 * @returns counts what steps have done
 */
export const createWorkObserver = (registry: Registry, maintenance: Maintenance): Observe => {
  registerReading(registry, maintenance.work.count, [
    {
      name: 'mailsweep_long_work',
      help: 'Due work by kind: in progress or waiting for its time (active), or of which workers died too often (parked).',
      labelNames: ['kind', 'state'],
      show(gauge, counts) {
        for (const { kind, active, parked } of counts) {
          gauge.set({ kind, state: 'active' }, active);
          gauge.set({ kind, state: 'parked' }, parked);
        }
      },
    },
  ]);
  return {
    scan: createScanObserver(registry, maintenance),
    watch: createWatchObserver(registry, maintenance),
    notifications: createNotificationObserver(registry, maintenance),
  };
};

const createScanObserver = (registry: Registry, maintenance: Maintenance): Observe['scan'] => {
  const registers = [registry];
  registerReading(registry, maintenance.countActiveScans, [
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

const createWatchObserver = (registry: Registry, maintenance: Maintenance): Observe['watch'] => {
  const registers = [registry];
  registerReading(registry, maintenance.measureWatches, [
    {
      name: 'mailsweep_watches',
      help: 'Mailboxes that are watched for new email, by state; absent while the database is unavailable.',
      labelNames: ['state'],
      show(gauge, { states }) {
        for (const state of WATCH_STATES) gauge.set({ state }, states.get(state) ?? 0);
      },
    },
    {
      name: 'mailsweep_watch_overdue_seconds',
      help: 'For how long the check of a mailbox that has waited longest has been due.',
      show: (gauge, { overdueSeconds }) => gauge.set(overdueSeconds),
    },
  ]);
  const runs = new Counter({
    name: 'mailsweep_watch_runs_total',
    help: 'Checks of mailboxes by outcome: done, ended, released, or why they came to nothing.',
    labelNames: ['outcome'],
    registers,
  });
  const emails = new Counter({
    name: 'mailsweep_watch_emails_total',
    help: 'New emails that were classified.',
    registers,
  });
  startAtZero(runs, 'outcome', WATCH_OUTCOMES);
  return ({ outcome, newEmails }) => {
    runs.inc({ outcome });
    emails.inc(newEmails);
  };
};

const createNotificationObserver = (
  registry: Registry,
  maintenance: Maintenance,
): Observe['notifications'] => {
  registerReading(registry, maintenance.measureNotifications, [
    {
      name: 'mailsweep_notifications_pending',
      help: 'Notifications that wait to be sent; absent while the database is unavailable.',
      show: (gauge, { pending }) => gauge.set(pending),
    },
    {
      name: 'mailsweep_notification_overdue_seconds',
      help: 'For how long the notification that has waited longest has been due.',
      show: (gauge, { overdueSeconds }) => gauge.set(overdueSeconds),
    },
  ]);
  const notifications = new Counter({
    name: 'mailsweep_notifications_total',
    help: 'Notifications by kind and outcome of an attempt: sent, dropped, held for quiet hours, retried, or taken over by another worker.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  });
  for (const kind of NotificationKindSchema.options)
    for (const outcome of DELIVERY_OUTCOMES) notifications.inc({ kind, outcome }, 0);
  return (deliveries) => {
    for (const { kind, outcome, count } of deliveries) notifications.inc({ kind, outcome }, count);
  };
};
