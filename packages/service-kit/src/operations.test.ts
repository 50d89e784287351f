import express from 'express';
import { Registry } from 'prom-client';
import supertest from 'supertest';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  createMetricsRegistry,
  createOperationsRouter,
  createSharedReading,
  type ReadinessCheck,
  registerReading,
} from './operations.ts';
import { VERSION } from './version.ts';

type Checks = Record<string, ReadinessCheck>;

const startApp = (checks: Checks, spared: Checks = {}) =>
  express().use(createOperationsRouter({ registry: createMetricsRegistry('test'), checks, spared }));

describe('the operators’ routes', () => {
  test('/health responds as long as the process lives', async () => {
    const app = startApp({ database: async () => false });
    await supertest(app).get('/health').expect(200, { status: 'ok', version: VERSION });
  });

  test('/ready returns 200 when every part can be used', async () => {
    const app = startApp({ database: async () => true, queue: async () => true });
    await supertest(app).get('/ready').expect(200, { status: 'ready', failing: [] });
  });

  test('/ready returns 503 and names the parts that can’t be used', async () => {
    const app = startApp({
      database: async () => true,
      queue: async () => false,
      mail: () => Promise.reject(new Error('canary')),
    });
    await supertest(app)
      .get('/ready')
      .expect(503, { status: 'not_ready', failing: ['queue', 'mail'] });
  });

  test('/ready returns 200 when nothing fails but what the process serves on without, and names it', async () => {
    const app = startApp({ database: async () => true }, { queue: async () => false });
    await supertest(app)
      .get('/ready')
      .expect(200, { status: 'ready', failing: ['queue'] });
  });

  test('/metrics speaks Prometheus, in the service’s name', async () => {
    const response = await supertest(startApp({})).get('/metrics').expect(200);

    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    expect(response.text).toMatch(/process_resident_memory_bytes\{service="test"\} \d+/);
    expect(response.text).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});

describe('gauges of a reading', () => {
  test('take one reading, and are absent while there is none', async () => {
    const registry = new Registry();
    let readings = 0;
    let isUp = true;
    const read = async () => {
      readings += 1;
      if (!isUp) throw new Error('down');
      return { total: 3, states: { active: 2 } };
    };
    registerReading(registry, read, [
      { name: 'total', help: 'All.', show: (gauge, { total }) => gauge.set(total) },
      {
        name: 'by_state',
        help: 'By state.',
        labelNames: ['state'],
        show: (gauge, { states }) => gauge.set({ state: 'active' }, states.active),
      },
    ]);
    const show = async () => (await registry.metrics()).split('\n').filter((line) => /^[a-z]/.test(line));

    expect(await show()).toEqual(['total 3', 'by_state{state="active"} 2']);
    expect(readings).toBe(1);
    isUp = false;
    expect(await show()).toEqual([]);
    isUp = true;
    expect(await show()).toHaveLength(2);
  });
});

describe('a shared reading', () => {
  test('is taken once for all who ask while it is in flight', async () => {
    const { promise, resolve } = Promise.withResolvers<string>();
    const read = vi.fn(() => promise);
    const results = Promise.all(Array.from({ length: 100 }, createSharedReading(read)));
    resolve('up');

    expect(new Set(await results)).toEqual(new Set(['up']));
    expect(read).toHaveBeenCalledTimes(1);
  });

  test('is undefined when it takes too long or fails', async () => {
    const tooLate = createSharedReading(() => new Promise(() => undefined))();
    await vi.advanceTimersByTimeAsync(2_500);

    expect(await tooLate).toBeUndefined();
    expect(await createSharedReading(() => Promise.reject(new Error('down')))()).toBeUndefined();
  });

  test('is reused for its time, and then taken again', async () => {
    let count = 0;
    const read = createSharedReading(async () => (count += 1), 1_000);
    expect(await read()).toBe(1);
    await vi.advanceTimersByTimeAsync(999);
    expect(await read()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);

    expect(await read()).toBe(2);
  });

  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());
});
