import type { Database } from '@mailsweep/database';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createNotificationObserver } from './notifications/notification-metrics.ts';
import { createScanObserver } from './scan/scan-metrics.ts';
import { createWatchObserver } from './watch/watch-metrics.ts';

test('no gauge is shown of what is counted in a database that is unavailable', async () => {
  const fail = () => Promise.reject(new Error('down'));
  const database = { $queryRaw: fail } as unknown as Database;
  const registry = new Registry();
  for (const create of [createNotificationObserver, createScanObserver, createWatchObserver]) {
    create(registry, database);
  }

  const metrics = await registry.getMetricsAsJSON();
  const gauges = metrics.filter(({ type }) => String(type) === 'gauge');
  expect(gauges).toHaveLength(5);
  expect(gauges.flatMap(({ values }) => values)).toEqual([]);
});
