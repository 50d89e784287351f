import { NotificationKindSchema } from '@mailsweep/contracts';
import { DELIVERY_OUTCOMES, type Deliveries, measureNotifications } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { registerReading } from '@mailsweep/service-kit';
import { Counter, type Registry } from 'prom-client';

/**
 * Registers the metrics of notifications: those that wait, the same on every replica, and what this process has done.
 *
 * @returns counts what came of notifications
 */
export const createNotificationObserver = (
  registry: Registry,
  database: Database,
): ((deliveries: Deliveries) => void) => {
  registerReading(registry, () => measureNotifications(database), [
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
