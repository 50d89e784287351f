import express from 'express';
import supertest from 'supertest';
import { describe, expect, test } from 'vitest';
import { createMetricsRegistry, createOperationsRouter, type ReadinessCheck } from './operations.ts';

const startApp = (checks: Record<string, ReadinessCheck>) =>
  express().use(createOperationsRouter({ registry: createMetricsRegistry('test'), checks }));

describe('the operators’ routes', () => {
  test('/health responds as long as the process lives', async () => {
    const app = startApp({ database: async () => false });
    await supertest(app).get('/health').expect(200, { status: 'ok' });
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

  test('/metrics speaks Prometheus, in the service’s name', async () => {
    const response = await supertest(startApp({})).get('/metrics').expect(200);

    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    expect(response.text).toMatch(/process_resident_memory_bytes\{service="test"\} \d+/);
    expect(response.text).toContain('nodejs_eventloop_lag_p99_seconds');
  });
});
