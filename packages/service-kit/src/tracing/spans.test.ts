import { context, propagation, trace } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startTraceCollector, type TraceCollector } from '../testing/trace-collector.ts';
import { startSdk } from './sdk.ts';
import { currentTraceParent, inHttpCall, inSpan, startServerSpan } from './spans.ts';

const ONE = '00-11111111111111111111111111111111-1111111111111111-01';
const OTHER = '00-22222222222222222222222222222222-2222222222222222-01';

test('work of one origin goes on its trace', async () => {
  await inSpan('work', { traceParents: [null, ONE, ONE] }, async () =>
    expect(currentTraceParent()).toMatch(/^00-1{32}-(?!1{16})/),
  );
  expect(await collect()).toMatchObject([{ traceId: '1'.repeat(32), parentId: '1'.repeat(16), links: [] }]);
});

test('work of several origins has a trace of its own, which links to theirs', async () => {
  await inSpan('outer', {}, () =>
    inSpan('work', { traceParents: [ONE, null, OTHER] }, async () => undefined),
  );
  expect(await collect()).toMatchObject([
    {
      name: 'work',
      parentId: '',
      links: [
        { traceId: '1'.repeat(32), spanId: '1'.repeat(16) },
        { traceId: '2'.repeat(32), spanId: '2'.repeat(16) },
      ],
    },
    { name: 'outer' },
  ]);
});

test('work of several origins is sampled if one of them is, and links to no other', async () => {
  restart('parentbased_always_off');
  const unsampled = [ONE, OTHER].map((traceparent) => traceparent.replace(/1$/, '0'));
  await inSpan('none', { traceParents: unsampled }, async () => undefined);
  await inSpan('one', { traceParents: [unsampled[0] ?? null, OTHER] }, async () => undefined);
  expect(await collect()).toMatchObject([{ name: 'one', links: [{ traceId: '2'.repeat(32) }] }]);
});

test('nothing is sampled where the sampler says so, whatever it links to', async () => {
  restart('always_off');
  await inSpan('work', { traceParents: [ONE, OTHER] }, async () => undefined);
  expect(await collect()).toEqual([]);
});

test('work of no known origin begins a trace', async () => {
  await inSpan('work', { traceParents: [null, 'no traceparent'] }, async () => undefined);
  expect(await collect()).toMatchObject([{ parentId: '', links: [] }]);
});

test('an error marks its span, without its message', async () => {
  const error = Object.assign(new Error('about ada@example.com'), { code: 'too_sad' });
  await expect(inSpan('work', {}, () => Promise.reject(error))).rejects.toBe(error);
  expect(await collect()).toMatchObject([{ isFailed: true, attributes: { 'error.type': 'too_sad' } }]);
  expect(collector.received().includes('ada@example.com')).toBe(false);
});

test('a call shows its address only where that is the operator’s choice', async () => {
  const call = { method: 'POST', peer: 'someone' };
  await inHttpCall(
    { ...call, url: 'https://hooks.test:8443/secret?key=1' },
    async ({ headers, responded }) => {
      expect(headers.traceparent).toMatch(/^00-/);
      responded(503);
    },
  );
  await inHttpCall(call, async ({ responded }) => responded(204));
  const [shown, hidden] = await collect();
  expect(shown).toMatchObject({
    name: 'POST',
    isFailed: true,
    attributes: { 'server.address': 'hooks.test', 'server.port': 8443, 'http.response.status_code': 503 },
  });
  expect(hidden?.attributes).not.toHaveProperty('server.address');
  expect(collector.received().includes('secret')).toBe(false);
});

test('a request goes on the trace of its caller', async () => {
  const span = startServerSpan({ method: 'GET', headers: { traceparent: ONE } });
  span.run(() => expect(currentTraceParent()).toMatch(/^00-1{32}-/));
  span.end({ route: '/emails/{id}', status: 500 });
  expect(await collect()).toMatchObject([
    { name: 'GET /emails/{id}', traceId: '1'.repeat(32), isFailed: true },
  ]);
});

test('after the end of tracing no work has a trace', async () => {
  await shutdown();
  await inSpan('work', { traceParents: [ONE] }, async () => expect(currentTraceParent()).toBeNull());
});

let collector: TraceCollector;
let shutdown: () => Promise<void>;
const collect = async () => {
  await shutdown();
  return collector.spans();
};
const start = () => {
  const outageLog = { failed: () => undefined, recovered: () => undefined };
  shutdown = startSdk({ service: 'test', outageLog, warn: () => undefined });
};
const stop = () => {
  for (const api of [context, propagation, trace]) api.disable();
};
const restart = (sampler: string) => {
  stop();
  vi.stubEnv('OTEL_TRACES_SAMPLER', sampler);
  start();
};
beforeEach(async () => {
  collector = await startTraceCollector();
  vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
  start();
});
afterEach(async () => {
  stop();
  vi.unstubAllEnvs();
  await collector.close();
});
