import type { IncomingMessage } from 'node:http';
import { context, propagation, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { inSpan, openTracer } from './spans.ts';

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
 * Makes an HTTP call in a span.
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
    return call({
      headers,
      responded(status) {
        span.setAttribute(STATUS, status);
        if (status >= 400)
          span.setAttribute('error.type', `${status}`).setStatus({ code: SpanStatusCode.ERROR });
      },
    });
  });
};
