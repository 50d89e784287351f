import { randomBytes } from 'node:crypto';
import { DOMAIN_EVENTS_QUEUE } from '@mailsweep/event-bus';
import { describeOnEachQueue, domainEvents, eventually } from '@mailsweep/event-bus/testing';
import { startTracing } from '@mailsweep/service-kit';
import {
  createRecordingLogger,
  startTraceCollector,
  type TraceCollector,
} from '@mailsweep/service-kit/testing';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { useWorker } from '../testing/worker-harness.ts';

const EVENTS = 20;
const BATCH = 'process domain-events';

describeOnEachQueue('events at the worker that are traced', (kind) => {
  const worker = useWorker(kind);

  it('share the span of their batch, which links to the trace of each', async () => {
    const { queue } = await worker.start({ concurrency: EVENTS * 2 });
    const traceIds = Array.from({ length: EVENTS }, () => randomBytes(16).toString('hex'));
    const jobs = traceIds.map((traceId) => {
      const event = domainEvents.confirmed();
      const traceParent = `00-${traceId}-${randomBytes(8).toString('hex')}-01`;
      return { id: crypto.randomUUID(), name: event.type, data: event, traceParent };
    });
    await queue.addJobs(DOMAIN_EVENTS_QUEUE, jobs);
    await worker.waitForTimeline(EVENTS);
    await eventually(() => {
      const batches = collector
        .spans()
        .filter(({ name }) => name === BATCH)
        // One alone goes on its trace.
        .map(({ traceId, links }) => (links.length > 0 ? links.map((link) => link.traceId) : [traceId]))
        .filter(([first = '']) => traceIds.includes(first));
      expect(batches.flat().toSorted()).toEqual(traceIds.toSorted());
      expect(batches.length).toBeLessThan(EVENTS);
    });
  });
});

let collector: TraceCollector;
const closers: (() => unknown)[] = [];
beforeAll(async () => {
  collector = await startTraceCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  vi.stubEnv('OTEL_BSP_SCHEDULE_DELAY', '20');
  await startTracing({
    service: 'worker',
    logger: createRecordingLogger().logger,
    lifecycle: { onClose: (_name, close) => void closers.push(close) },
  });
});
afterAll(async () => {
  for (const close of closers) await close();
  vi.unstubAllEnvs();
  await collector.close();
});
