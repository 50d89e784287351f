import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from './testing/free-port.ts';
import { startTraceCollector, type TraceCollector } from './testing/trace-collector.ts';

const FIXTURE = fileURLToPath(new URL('./testing/tracing-fixture.ts', import.meta.url));
/** Far more than wait for export at once. */
const MANY = 5_000;

describe('tracing', () => {
  test('is off, and its SDK is not loaded, where no variable says where to', async () => {
    const { lines } = await run(10, {});
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'worked', hasSdk: false }));
    expect(lines.filter((line) => 'trace_id' in line)).toEqual([]);
  });

  test('exports the last spans when the process stops, under the ids of the log', async () => {
    const collector = await openCollector();
    const { code, lines } = await run(10, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'worked', hasSdk: true }));
    const spans = collector.spans();
    expect(spans.map(({ service }) => service)).toEqual(Array(10).fill('mailsweep-fixture'));
    const { traceId, spanId } = spans.at(-1) ?? {};
    expect(lines).toContainEqual(
      expect.objectContaining({ msg: 'working', trace_id: traceId, span_id: spanId }),
    );
  });

  test('takes the sampler and the name from the standard variables', async () => {
    const collector = await openCollector();
    const env = {
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/v1/traces`,
      OTEL_SERVICE_NAME: 'named',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    };
    await run(400, env);
    const spans = collector.spans();
    expect(spans[0]?.service).toBe('named');
    // One in 10^20 runs is further off.
    expect(Math.abs(spans.length - 100)).toBeLessThan(80);
  });

  test.each([
    ['is not there', async () => ({ url: `http://127.0.0.1:${await findFreePort()}` })],
    ['refuses', () => openCollector((_request, response) => void response.writeHead(400).end('canary'))],
    ['never responds', () => openCollector(() => undefined)],
  ])('goes on, and stops in time, when the collector %s, and logs one line at most', async (_what, open) => {
    const { url } = await open();
    const { code, lines } = await run(MANY, {
      OTEL_EXPORTER_OTLP_ENDPOINT: url,
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    expect(code).toBe(0);
    const warnings = lines.filter(({ level }) => Number(level) >= 40);
    expect(warnings.length).toBeLessThanOrEqual(1);
    expect(JSON.stringify(warnings)).not.toContain('canary');
  });
});

const openCollector = async (...respond: Parameters<typeof startTraceCollector>): Promise<TraceCollector> => {
  const collector = await startTraceCollector(...respond);
  onTestFinished(() => collector.close());
  return collector;
};

/** Runs the fixture until it has made its spans, and stops it. */
const run = async (count: number, env: Record<string, string>) => {
  const child = spawn(process.execPath, [FIXTURE, String(count)], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const exited = once(child, 'exit');
  const lines: Record<string, unknown>[] = [];
  for await (const text of createInterface(child.stdout)) {
    const line = JSON.parse(text);
    lines.push(line);
    if (line.msg === 'started') child.kill('SIGTERM');
  }
  const [code] = await exited;
  return { code, lines };
};
