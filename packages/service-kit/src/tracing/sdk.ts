import { context, propagation, TraceFlags, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  ExportResultCode,
  getNumberFromEnv,
  getStringFromEnv,
  W3CTraceContextPropagator,
} from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
} from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  SamplingDecision,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';

/** Share of traces where a ratio is asked for and OTEL_TRACES_SAMPLER_ARG does not say it. */
const DEFAULT_RATIO = 1;

/** The samplers by their standard names; a service that was called follows its caller with `parentbased_…`. */
const SAMPLERS: Record<string, (ratio: number) => Sampler> = {
  always_on: () => new AlwaysOnSampler(),
  always_off: () => new AlwaysOffSampler(),
  traceidratio: (ratio) => new TraceIdRatioBasedSampler(ratio),
};

interface SdkOptions {
  service: string;
  outageLog: { failed(error: unknown): void; recovered(): void };
  warn: (message: string) => void;
}

/** Samples a batch, which has a trace of its own, when it links to a trace that is sampled; else as `root` does. */
const followLinks = (root: Sampler): Sampler => ({
  shouldSample: (parent, traceId, name, kind, attributes, links) =>
    links.some((link) => link.context.traceFlags & TraceFlags.SAMPLED)
      ? { decision: SamplingDecision.RECORD_AND_SAMPLED }
      : root.shouldSample(parent, traceId, name, kind, attributes, links),
});

const createSampler = (warn: SdkOptions['warn']): Sampler => {
  const name = getStringFromEnv('OTEL_TRACES_SAMPLER') ?? 'parentbased_always_on';
  const create = SAMPLERS[name.replace(/^parentbased_/, '')];
  if (create === undefined) {
    warn('the value of OTEL_TRACES_SAMPLER is not known: using parentbased_always_on');
    return new ParentBasedSampler({ root: new AlwaysOnSampler() });
  }
  if (name === 'always_off') return new AlwaysOffSampler();
  const root = followLinks(create(getNumberFromEnv('OTEL_TRACES_SAMPLER_ARG') ?? DEFAULT_RATIO));
  return name.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
};

/** How spans are gathered; the SDK has defaults for all. It drops spans when more wait than fit. */
const readBatchSettings = () => {
  const settings = {
    scheduledDelayMillis: getNumberFromEnv('OTEL_BSP_SCHEDULE_DELAY'),
    maxQueueSize: getNumberFromEnv('OTEL_BSP_MAX_QUEUE_SIZE'),
    maxExportBatchSize: getNumberFromEnv('OTEL_BSP_MAX_EXPORT_BATCH_SIZE'),
  };
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined));
};

/** Logs outages of the collector; the SDK itself would log each export that fails. */
const withOutageLog = (exporter: SpanExporter, outageLog: SdkOptions['outageLog']): SpanExporter => ({
  export: (spans, done) =>
    exporter.export(spans, (result) => {
      if (result.code === ExportResultCode.SUCCESS) outageLog.recovered();
      else outageLog.failed(result.error);
      done(result);
    }),
  forceFlush: async () => exporter.forceFlush?.(),
  shutdown: () => exporter.shutdown(),
});

/** Registers the SDK with the API; returns what exports the last spans and ends it. */
export const startSdk = ({ service, outageLog, warn }: SdkOptions): (() => Promise<void>) => {
  const provider = new TracerProvider({
    sampler: createSampler(warn),
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': `mailsweep-${service}` }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        ...readBatchSettings(),
        exporter: withOutageLog(new OTLPTraceExporter(), outageLog),
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  // No baggage: it carries what callers put into it.
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await provider.shutdown();
    for (const api of [trace, propagation, context]) api.disable();
  };
};
