import { context, type HrTime, type Span, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { Prisma } from '../generated/client.ts';
import { type Database, openDatabase } from './client.ts';
import { createTestDatabase, type TestDatabase } from './testing/test-database.ts';

test('statements are counted at the span of the work; only slow ones have spans of their own', async () => {
  await inWork(async () => {
    for (let run = 0; run < 20; run += 1) await database.user.findMany();
  });
  const spans = exporter.getFinishedSpans();
  const work = spans.find(({ name }) => name === 'work');
  expect(work?.attributes['mailsweep.db.statements']).toBe(20);
  // On a busy machine any statement may be slow.
  expect(spans.length).toBeLessThan(20);
  expect(spans.filter((span) => span !== work && toMs(span.duration) < 10)).toEqual([]);
});

test('a slow statement has a span, as long as it took', async () => {
  await inWork(
    () => database.$queryRaw`SELECT pg_sleep(0.2)::text FROM (SELECT count(*) FROM "User") AS users`,
  );
  const [slow, work] = exporter.getFinishedSpans();
  expect(slow).toMatchObject({
    name: 'SELECT User',
    parentSpanContext: { spanId: work?.spanContext().spanId },
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': 'SELECT User' },
  });
  expect(toMs(slow?.duration ?? [0, 0])).toBeGreaterThanOrEqual(200);
  expect(Math.abs((slow?.startTime[0] ?? 0) - Date.now() / 1_000)).toBeLessThan(60);
  expect(Number(work?.attributes['mailsweep.db.duration_ms'])).toBeGreaterThanOrEqual(200);
});

test('a statement that fails has a span with its code, without its values', async () => {
  const value = 'ada@example.com';
  await inWork(() =>
    expect(database.$queryRaw`SELECT ${value}::int AS "none"`).rejects.toThrow(
      Prisma.PrismaClientKnownRequestError,
    ),
  );
  const [failed] = exporter.getFinishedSpans();
  expect(failed).toMatchObject({
    name: 'SELECT',
    attributes: { 'error.type': '22P02' },
    status: { code: SpanStatusCode.ERROR },
  });
  expect(JSON.stringify([failed?.name, failed?.attributes, failed?.status])).not.toContain(value);
});

const toMs = ([seconds, nanoseconds]: HrTime): number => seconds * 1e3 + nanoseconds / 1e6;

const inWork = (work: () => Promise<unknown>): Promise<unknown> =>
  trace.getTracer('test').startActiveSpan('work', async (span: Span) => {
    await work();
    span.end();
  });

const exporter = new InMemorySpanExporter();
let testDatabase: TestDatabase;
let database: Database;
beforeAll(async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  trace.setGlobalTracerProvider(
    new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
  );
  testDatabase = await createTestDatabase();
  database = openDatabase({ databaseUrl: testDatabase.url });
});
afterEach(() => exporter.reset());
afterAll(async () => {
  await database.$disconnect();
  await testDatabase.drop();
  trace.disable();
  context.disable();
});
