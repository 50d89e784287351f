import { createMaintenance } from '@mailsweep/core';
import type { Database } from '@mailsweep/database';
import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { createWorkObserver } from './due-work/work-metrics.ts';

test('no gauge is shown of what is counted in a database that is unavailable', async () => {
  const fail = () => Promise.reject(new Error('down'));
  const database = { $queryRaw: fail } as unknown as Database;
  const registry = new Registry();
  createWorkObserver(registry, createMaintenance(database));

  const metrics = await registry.getMetricsAsJSON();
  const gauges = metrics.filter(({ type }) => String(type) === 'gauge');
  expect(gauges).toHaveLength(6);
  expect(gauges.flatMap(({ values }) => values)).toEqual([]);
});
