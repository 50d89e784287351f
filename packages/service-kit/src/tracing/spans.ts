import type { IncomingMessage } from 'node:http';
import {
  type Context,
  context,
  isSpanContextValid,
  type Link,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  type SpanOptions,
  SpanStatusCode,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { callingPeer } from '../outgoing-calls.ts';

// Every call of the OpenTelemetry API does nothing until `startTracing` has loaded the SDK.

const openTracer = (): Tracer => trace.getTracer('mailsweep');

/** The active span as a W3C `traceparent`, to store with work that goes on elsewhere; null for none. */
export const currentTraceParent = (): string | null => {
  const carrier: { traceparent?: string } = {};
  propagation.inject(context.active(), carrier);
  return carrier.traceparent ?? null;
};

/** 32 hexadecimal digits; undefined outside of a trace. */
export const currentTraceId = (): string | undefined => trace.getActiveSpan()?.spanContext().traceId;

/** The fields of a log line that lead to its trace, as OpenTelemetry names them. */
export const toLogFields = (): { trace_id?: string; span_id?: string } => {
  const span = trace.getActiveSpan()?.spanContext();
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId };
};

/** Does work in the trace that {@link currentTraceParent} once named, without a span of its own. */
export const inTraceOf = <T>(traceparent: string | null | undefined, work: () => T): T =>
  context.with(propagation.extract(ROOT_CONTEXT, { traceparent }), work);

/** Has a callback of an event run in the present trace. */
export const keepTrace = (callback: () => void): (() => void) => {
  const active = context.active();
  return () => context.with(active, callback);
};

/**
 * Marks a span as failed, with the code of the error or its class. Not with its message or stack: those of other
 * libraries quote addresses and values.
 */
export const recordFailure = (span: Span, error: unknown): void => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const type = typeof code === 'string' ? code : error instanceof Error ? error.name : '_OTHER';
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
};

/** The span that a `traceparent` (version 00) of ours names, read in place: a batch has hundreds of them. */
const toLink = (traceparent: string): Link => ({
  context: {
    traceId: traceparent.slice(3, 35),
    spanId: traceparent.slice(36, 52),
    traceFlags: Number.parseInt(traceparent.slice(53), 16),
  },
});

/**
 * What a span goes on from: one trace is its parent; of several, as a batch has them, none is, and it links to all that
 * are sampled.
 */
const toParentAndLinks = (traceParents: readonly (string | null)[]): [Context, Link[]] => {
  const origins = [...new Set(traceParents)].filter((traceparent) => traceparent !== null);
  const [traceparent, ...others] = origins;
  if (others.length === 0) return [propagation.extract(ROOT_CONTEXT, { traceparent }), []];
  const links = origins
    .map(toLink)
    .filter((link) => isSpanContextValid(link.context) && link.context.traceFlags & TraceFlags.SAMPLED);
  return [ROOT_CONTEXT, links];
};

/**
 * Does work in a span, which ends with it; an error that it throws marks the span.
 *
 * @param options.traceParents - where the work comes from, by what {@link currentTraceParent} said there; the active span
 *   when left out
 */
export const inSpan = async <T>(
  name: string,
  options: SpanOptions & { traceParents?: readonly (string | null)[] | undefined },
  work: (span: Span) => Promise<T>,
): Promise<T> => {
  const { traceParents, ...spanOptions } = options;
  const [parent, links] =
    traceParents === undefined ? [context.active(), []] : toParentAndLinks(traceParents);
  const span = openTracer().startSpan(name, { ...spanOptions, links }, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work, undefined, span);
  } catch (error) {
    recordFailure(span, error);
    throw error;
  } finally {
    span.end();
  }
};

/**
 * Name and options of a span about jobs of a queue, after OpenTelemetry's conventions for messaging.
 *
 * @param of.id - of the job, where it is about one
 * @param of.count - of the jobs, where it is about a batch
 */
export const toMessageSpan = (
  operation: 'create' | 'send' | 'process',
  queueName: string,
  of: { id: string; attempt?: number } | { count: number },
): [name: string, options: SpanOptions] => [
  `${operation} ${queueName}`,
  {
    kind: operation === 'process' ? SpanKind.CONSUMER : SpanKind.PRODUCER,
    attributes: {
      'messaging.system.name': 'bullmq',
      'messaging.operation.type': operation,
      'messaging.operation.name': operation,
      'messaging.destination.name': queueName,
      ...('id' in of
        ? { 'messaging.message.id': of.id, ...(of.attempt && { 'mailsweep.attempt': of.attempt }) }
        : { 'messaging.batch.message_count': of.count }),
    },
  },
];

const METHOD = 'http.request.method';
const STATUS = 'http.response.status_code';

/**
 * Begins the span of a request that this process serves. It goes on from the caller's `traceparent`, if there is one.
 *
 * @returns `run` calls what handles the request; `end` takes the route's pattern, never the path of the request, and
 *   undefined where no route took it
 */
export const startServerSpan = (request: Pick<IncomingMessage, 'method' | 'headers'>) => {
  const method = request.method ?? '_OTHER';
  const parent = propagation.extract(ROOT_CONTEXT, request.headers);
  const span = openTracer().startSpan(
    method,
    { kind: SpanKind.SERVER, attributes: { [METHOD]: method } },
    parent,
  );
  return {
    run: (handle: () => void): void => context.with(trace.setSpan(parent, span), handle),
    end({ route, status }: { route: string | undefined; status: number }): void {
      if (route !== undefined) span.updateName(`${method} ${route}`).setAttribute('http.route', route);
      span.setAttribute(STATUS, status);
      if (status >= 500)
        span.setAttribute('error.type', `${status}`).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
};

/** A call of another service over HTTP, as its span shows it. */
interface HttpCall {
  method: string;
  /** Of the service: `gmail`. */
  peer: string;
  /** Only its host is shown; left out where the address is not the operator's choice. */
  url?: URL | string;
  /** The path without ids. */
  template?: string;
}

/**
 * Makes an HTTP call in a span, and as one of that service.
 *
 * @param call - `headers` carry the trace on: for services of the operator alone; `responded` takes the status
 */
export const inHttpCall = <T>(
  { method, peer, url, template }: HttpCall,
  call: (span: { headers: Record<string, string>; responded: (status: number) => void }) => Promise<T>,
): Promise<T> => {
  const { hostname, port } = url === undefined ? {} : new URL(url);
  const attributes = {
    [METHOD]: method,
    'service.peer.name': peer,
    ...(hostname && { 'server.address': hostname }),
    ...(port && { 'server.port': Number(port) }),
    ...(template && { 'url.template': template }),
  };
  const name = template === undefined ? method : `${method} ${template}`;
  return inSpan(name, { kind: SpanKind.CLIENT, attributes }, (span) => {
    const headers: Record<string, string> = {};
    propagation.inject(context.active(), headers);
    return callingPeer(peer, () =>
      call({
        headers,
        responded(status) {
          span.setAttribute(STATUS, status);
          if (status >= 400)
            span.setAttribute('error.type', `${status}`).setStatus({ code: SpanStatusCode.ERROR });
        },
      }),
    );
  });
};
